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
import { UsageError } from "../failures.ts";
import {
  type AdminArguments,
  type AdminCommand,
  day,
  integer,
  requireFound,
} from "./admin_arguments.ts";

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

/**
 * Limits of a new plan, if the operator does not state them. The other limits have to be stated,
 * because the price of a plan depends on them.
 */
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
    run: async (
      sql,
      { words: [name = ""], values: { plan = "", status = "active", ...values } },
    ) => {
      const key_name = keyNameIn(values, "key-name");
      const made = await addCustomer(sql, { name, plan, status, key_name });
      return { ...made, name, plan, status };
    },
  },
  "customer list": {
    summary: "Lists the customers with their plans, and the day on which each was last seen.",
    run: async (sql) => {
      const accounts = await listAccounts(sql);
      const customers = accounts.filter(({ is_demo }) => !is_demo);
      return { customers: customers.map(({ is_demo: _, ...customer }) => customer) };
    },
  },
  "customer show": {
    summary: "Prints a customer, by id or name, with its limits, its usage and its keys.",
    words: ["CUSTOMER"],
    run: async (sql, { words: [customer] }) => {
      const id = await findCustomer(sql, customer!);
      return { ...await showAccount(sql, id), keys: await listApiKeys(sql, id) };
    },
  },
  "customer suspend": {
    summary: "Refuses the requests of a customer from the next one on, until it is resumed.",
    words: ["CUSTOMER"],
    run: async (sql, { words: [customer] }) => {
      const account_id = await findCustomer(sql, customer!);
      return { account_id, status: await suspendCustomer(sql, account_id) };
    },
  },
  "customer resume": {
    summary: "Gives a suspended customer the status from before the suspension.",
    words: ["CUSTOMER"],
    run: async (sql, { words: [customer] }) => {
      const account_id = await findCustomer(sql, customer!);
      return { account_id, status: await resumeCustomer(sql, account_id) };
    },
  },
  "account create": {
    summary:
      "Creates an account with a subscription to a plan, which is active unless --status is set.",
    words: ["NAME"],
    required: { plan: "P" },
    options: { status: "S" },
    run: (sql, { words: [name = ""], values: { plan = "", status = "active" } }) =>
      createAccount(sql, { name, plan, status }),
  },
  "account list": {
    summary: "Lists the accounts with their plans, and the day on which each was last used.",
    run: async (sql) => ({ accounts: await listAccounts(sql) }),
  },
  "account show": {
    summary: "Prints an account with its period, its limits and its usage.",
    words: ["ACCOUNT_ID"],
    run: async (sql, { ids: [id] }) => requireFound(await showAccount(sql, id!), `account ${id}`),
  },
  "account rename": {
    summary: "Gives an account another name.",
    words: ["ACCOUNT_ID", "NAME"],
    run: async (sql, { ids: [id], words: [, name] }) =>
      requireFound(await renameAccount(sql, { account_id: id!, name: name! }), `account ${id}`),
  },
  "key create": {
    summary:
      "Creates a key and prints it, only this once. DAY is the last day on which it works, in UTC.",
    required: { account: "N" },
    options: { name: "TEXT", expires: "DAY" },
    run: (sql, { values }) =>
      createApiKey(sql, {
        account_id: integer(values, "account"),
        name: keyNameIn(values, "name"),
        last_day: day(values, "expires"),
      }),
  },
  "key list": {
    summary:
      "Lists the keys of an account, or of all: first characters, last use, expiry, revocation.",
    options: { account: "N" },
    run: async (sql, { values }) => {
      const id = values.account === undefined ? undefined : integer(values, "account");
      return { keys: requireFound(await listApiKeys(sql, id), `account ${id}`) };
    },
  },
  "key rotate": {
    summary: "Creates a key in place of another one, which works until the end of DAY, in UTC. " +
      `Without --until it works for ${OVERLAP_DAYS} more days.`,
    words: ["KEY_ID"],
    options: { until: "DAY" },
    run: async (sql, { ids: [id], values }) => {
      const overlapEnd = new Date(Date.now() + OVERLAP_DAYS * 86_400_000);
      const last_day = day(values, "until") ?? overlapEnd.toISOString().slice(0, 10);
      return requireFound(await rotateApiKey(sql, { key_id: id!, last_day }), `key ${id}`);
    },
  },
  "key revoke": {
    summary: "Revokes a key, from the next request on.",
    words: ["KEY_ID"],
    irreversible: ({ ids: [id] }) => `A revoked key cannot be used again (key ${id}).`,
    run: async (sql, { ids: [id] }) => requireFound(await revokeApiKey(sql, id!), `key ${id}`),
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
      const changed = await setSubscription(sql, { account_id, plan, status });
      return requireFound(changed, `account ${account_id}`);
    },
  },
  "plan list": {
    summary: "Lists the plans with their limits and their number of accounts.",
    run: async (sql) => ({ plans: await listPlans(sql) }),
  },
  "plan create": {
    summary:
      "Creates a plan. Units are those of a window and of a week. Without further options a " +
      "window has an hour, a page 25 companies, and a process answers 600 reads per minute.",
    words: ["NAME"],
    required: numbers(Object.keys(PLAN_RANGES).filter((name) => !(name in PLAN_DEFAULTS))),
    options: numbers(Object.keys(PLAN_DEFAULTS)),
    run: async (sql, { words: [name = ""], values }) => {
      if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(name)) {
        throw new UsageError("NAME: 1 to 50 lower-case letters, digits, - and _ are required");
      }
      const terms = termsIn({ ...PLAN_DEFAULTS, ...values });
      return await createPlan(sql, name, terms as unknown as PlanTerms);
    },
  },
  "plan set": {
    summary: "Changes limits of a plan, from the next request on.",
    words: ["NAME"],
    options: numbers(Object.keys(PLAN_RANGES)),
    run: async (sql, { words: [name], values }) => {
      const terms = termsIn(values);
      if (Object.keys(terms).length === 0) throw new UsageError("plan set: a limit is required");
      return requireFound(await setPlan(sql, name!, terms), `plan ${name}`);
    },
  },
};

/** Returns options whose values are whole numbers. */
function numbers(names: string[]): AdminCommand["options"] {
  return Object.fromEntries(names.map((name) => [name, "N"]));
}

function termsIn(values: AdminArguments["values"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(PLAN_RANGES)
      .filter(([option]) => option in values)
      .map(([option, range]) => [option.replaceAll("-", "_"), integer(values, option, range)]),
  );
}

function keyNameIn(values: AdminArguments["values"], option: string): string {
  const name = values[option] ?? "";
  if (!hasControls(name)) return name;
  throw new UsageError(`--${option}: no control characters or line breaks, please`);
}
