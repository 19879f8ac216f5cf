/** `admin customer|account|key|subscription|plan`: manages access to the service and its limits. */
import {
  addCustomer,
  createAccount,
  createPlan,
  findCustomer,
  listAccounts,
  listPlans,
  type PlanTerms,
  renameAccount,
  resumeCustomer,
  setPlan,
  setSubscription,
  showAccount,
  suspendCustomer,
} from "../accounts/account.ts";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "../accounts/key.ts";
import { hasControls } from "../contract/control_characters.ts";
import type { Sql } from "../db/connect.ts";
import {
  type AdminArguments,
  type AdminCommand,
  day,
  integer,
  required,
  requireFound,
} from "./admin_arguments.ts";
import { UsageError } from "./command.ts";

/**
 * Days for which a key works beside its successor, if the operator names no day. A week is chosen:
 * a customer has a working day to replace it.
 */
const OVERLAP_DAYS = 7;

const INTEGER_MAX = 2 ** 31 - 1;

/** Ranges of a plan's limits. The constraints of the table contain the same ranges. */
const PLAN_RANGES: Record<string, [min: number, max: number]> = {
  "window-seconds": [1, 604_800],
  "page-limit": [1, 100],
  "request-units": [0, INTEGER_MAX],
  "weekly-request-units": [0, INTEGER_MAX],
  "delivered-units": [0, INTEGER_MAX],
  "weekly-delivered-units": [0, INTEGER_MAX],
  "reads-per-minute": [1, 1_000_000],
};

/** Limits that a new plan has to state, because its price depends on them. */
const UNIT_LIMITS = Object.keys(PLAN_RANGES).filter((name) => name.endsWith("-units"));

/** Other limits of a new plan, if the operator does not state them. */
const PLAN_DEFAULTS: Record<string, string> = {
  "window-seconds": "3600",
  "page-limit": "25",
  "reads-per-minute": "600",
};

/**
 * Commands about customers, accounts, keys and plans, by their names. CUSTOMER is an account id or
 * an exact name.
 */
export const ACCOUNT_COMMANDS: Record<string, AdminCommand> = {
  "customer add": {
    summary: "Creates an account, its subscription and a key, and prints the key, only this once.",
    words: ["NAME"],
    required: { plan: "P" },
    options: { status: "S", "key-name": "TEXT" },
    run: async (sql, { words, values }) => {
      const key_name = values["key-name"] ?? "";
      if (hasControls(key_name)) {
        throw new UsageError("--key-name: no control characters or line breaks, please");
      }
      const plan = required(values, "plan");
      const status = values.status ?? "active";
      const made = await addCustomer(sql, { name: words[0]!, plan, status, key_name });
      return { answer: { ...made, name: words[0]!, plan, status } };
    },
  },
  "customer list": {
    summary: "Lists the customers with their plans, and the day on which each was last seen.",
    run: async (sql) => {
      const accounts = await listAccounts(sql);
      return {
        answer: {
          customers: accounts.filter(({ is_demo }) => !is_demo).map((
            { is_demo: _, ...customer },
          ) => customer),
        },
      };
    },
  },
  "customer show": {
    summary: "Prints a customer, by id or name, with its limits, its usage and its keys.",
    words: ["CUSTOMER"],
    run: async (sql, args) => {
      const id = await customerOf(sql, args);
      return { answer: { ...await showAccount(sql, id), keys: await listApiKeys(sql, id) } };
    },
  },
  "customer suspend": {
    summary: "Refuses the requests of a customer from the next one on, until it is resumed.",
    words: ["CUSTOMER"],
    run: async (sql, args) => {
      const account_id = await customerOf(sql, args);
      return { answer: { account_id, status: await suspendCustomer(sql, account_id) } };
    },
  },
  "customer resume": {
    summary: "Gives a suspended customer the status from before the suspension.",
    words: ["CUSTOMER"],
    run: async (sql, args) => {
      const account_id = await customerOf(sql, args);
      return { answer: { account_id, status: await resumeCustomer(sql, account_id) } };
    },
  },
  "account create": {
    summary:
      "Creates an account with a subscription to a plan, which is active unless --status is set.",
    words: ["NAME"],
    required: { plan: "P" },
    options: { status: "S" },
    run: async (sql, { words, values }) => ({
      answer: await createAccount(sql, {
        name: words[0]!,
        plan: required(values, "plan"),
        status: values.status ?? "active",
      }),
    }),
  },
  "account list": {
    summary: "Lists the accounts with their plans, and the day on which each was last used.",
    run: async (sql) => ({ answer: { accounts: await listAccounts(sql) } }),
  },
  "account show": {
    summary: "Prints an account with its period, its limits and its usage.",
    words: ["ACCOUNT_ID"],
    run: async (sql, args) => {
      const id = accountOf(args);
      return { answer: requireFound(await showAccount(sql, id), `account ${id}`) };
    },
  },
  "account rename": {
    summary: "Gives an account another name.",
    words: ["ACCOUNT_ID", "NAME"],
    run: async (sql, args) => {
      const account_id = accountOf(args);
      const renamed = await renameAccount(sql, { account_id, name: args.words[1]! });
      return { answer: requireFound(renamed, `account ${account_id}`) };
    },
  },
  "key create": {
    summary:
      "Creates a key and prints it, only this once. DAY is the last day on which it works, in UTC.",
    required: { account: "N" },
    options: { name: "TEXT", expires: "DAY" },
    run: async (sql, { values }) => ({
      answer: await createApiKey(sql, {
        account_id: integer(values, "account"),
        name: values.name ?? "",
        last_day: day(values, "expires"),
      }),
    }),
  },
  "key list": {
    summary:
      "Lists the keys of an account, or of all: first characters, last use, expiry, revocation.",
    options: { account: "N" },
    run: async (sql, { values }) => {
      const id = values.account === undefined ? undefined : integer(values, "account");
      return { answer: { keys: requireFound(await listApiKeys(sql, id), `account ${id}`) } };
    },
  },
  "key rotate": {
    summary: "Creates a key in place of another one, which works until the end of DAY, in UTC. " +
      `Without --until it works for ${OVERLAP_DAYS} more days.`,
    words: ["KEY_ID"],
    options: { until: "DAY" },
    run: async (sql, { words, values }) => {
      const key_id = integer({ KEY_ID: words[0] }, "KEY_ID");
      const last_day = day(values, "until") ?? dayAfter(OVERLAP_DAYS);
      return {
        answer: requireFound(await rotateApiKey(sql, { key_id, last_day }), `key ${key_id}`),
      };
    },
  },
  "key revoke": {
    summary: "Revokes a key, from the next request on.",
    words: ["KEY_ID"],
    irreversible: ({ words }) => `A revoked key cannot be used again (key ${words[0]}).`,
    run: async (sql, { words }) => {
      const id = integer({ KEY_ID: words[0] }, "KEY_ID");
      return { answer: requireFound(await revokeApiKey(sql, id), `key ${id}`) };
    },
  },
  "subscription set": {
    summary: "Changes the plan or status of an account, from the next request on.",
    required: { account: "N" },
    options: { plan: "P", status: "S" },
    run: async (sql, { values }) => {
      const { plan, status } = values;
      if (plan === undefined && status === undefined) {
        throw new UsageError("subscription set: --plan or --status is required");
      }
      const account_id = integer(values, "account");
      return {
        answer: requireFound(
          await setSubscription(sql, { account_id, plan, status }),
          `account ${account_id}`,
        ),
      };
    },
  },
  "plan list": {
    summary: "Lists the plans with their limits and their number of accounts.",
    run: async (sql) => ({ answer: { plans: await listPlans(sql) } }),
  },
  "plan create": {
    summary:
      "Creates a plan. Units are those of a window and of a week. Without further options a " +
      "window has an hour, a page 25 companies, and a process answers 600 reads per minute.",
    words: ["NAME"],
    required: Object.fromEntries(UNIT_LIMITS.map((name) => [name, "N"])),
    options: Object.fromEntries(Object.keys(PLAN_DEFAULTS).map((name) => [name, "N"])),
    run: async (sql, { words, values }) => {
      const name = words[0]!;
      if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(name)) {
        throw new UsageError("NAME: 1 to 50 lower-case letters, digits, - and _ are required");
      }
      const terms = termsIn({ ...PLAN_DEFAULTS, ...values });
      return { answer: await createPlan(sql, name, terms as unknown as PlanTerms) };
    },
  },
  "plan set": {
    summary: "Changes limits of a plan, from the next request on.",
    words: ["NAME"],
    options: Object.fromEntries(Object.keys(PLAN_RANGES).map((name) => [name, "N"])),
    run: async (sql, { words, values }) => {
      const terms = termsIn(values);
      if (Object.keys(terms).length === 0) throw new UsageError("plan set: a limit is required");
      return { answer: requireFound(await setPlan(sql, words[0]!, terms), `plan ${words[0]}`) };
    },
  },
};

function accountOf({ words }: AdminArguments): number {
  return integer({ ACCOUNT_ID: words[0] }, "ACCOUNT_ID");
}

/** Returns the day, in UTC, that comes a number of days after the present one. */
function dayAfter(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

function termsIn(values: AdminArguments["values"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(PLAN_RANGES)
      .filter(([option]) => option in values)
      .map(([option, range]) => [option.replaceAll("-", "_"), integer(values, option, range)]),
  );
}

async function customerOf(sql: Sql, { words }: AdminArguments): Promise<number> {
  return await findCustomer(sql, words[0]!);
}
