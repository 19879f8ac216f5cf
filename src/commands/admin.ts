/** `admin`: accounts, keys, plans, sources, companies, withdrawals, verification. Answers in JSON. */
import { createAccount, setPlan, setSubscription } from "../accounts/account.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "../accounts/key.ts";
import { suppressCompany, withdrawEvidence, withdrawObservation } from "../ingest/withdraw.ts";
import { verifyUsage } from "../operations/report.ts";
import { type Command, found, integer, readArguments, required } from "./admin_arguments.ts";
import { COMPANY_COMMANDS, COMPANY_USAGE } from "./admin_companies.ts";
import { SOURCE_COMMANDS, SOURCE_USAGE } from "./admin_sources.ts";
import { type CommandContext, UsageError } from "./command.ts";

export const ADMIN_USAGE = `admin account create NAME --plan P [--status S]
admin key create --account N [--name TEXT]
admin key revoke KEY_ID
admin key list --account N
admin subscription set --account N [--plan P] [--status S]
admin plan set NAME [--window-seconds N] [--page-limit N] [--request-units N]
    [--weekly-request-units N] [--delivered-units N] [--weekly-delivered-units N]
${SOURCE_USAGE}
${COMPANY_USAGE}
admin withdraw --observation N | --evidence-uri URI | --company N
admin usage verify`;

/** @returns the exit code; @throws UsageError, or an Error that names what was wrong */
export async function admin(
  args: string[],
  context: CommandContext,
  print: (line: string) => void,
): Promise<number> {
  const name = Object.keys(COMMANDS).find((words) =>
    words.split(" ").every((word, at) => args[at] === word)
  );
  if (name === undefined) throw new UsageError(ADMIN_USAGE);
  const command = COMMANDS[name]!;
  const parsed = readArguments(args.slice(name.split(" ").length), command, ADMIN_USAGE);
  const db = await context.database({ statement_timeout_seconds: STATEMENT_SECONDS });
  try {
    const { answer, exit_code = 0 } = await command.run(db.sql, parsed, context);
    print(JSON.stringify(answer));
    return exit_code;
  } finally {
    await db.close();
  }
}

/** Hiding a source marks each of its observations for the followers: a million take a minute. */
const STATEMENT_SECONDS = 900;

const INTEGER_MAX = 2 ** 31 - 1;

/** The terms of a plan, with the range of each; the table's constraints say the same. */
const PLAN_RANGES: Record<string, [least: number, most: number]> = {
  "window-seconds": [1, 604_800],
  "page-limit": [1, 100],
  "request-units": [0, INTEGER_MAX],
  "weekly-request-units": [0, INTEGER_MAX],
  "delivered-units": [0, INTEGER_MAX],
  "weekly-delivered-units": [0, INTEGER_MAX],
};

const COMMANDS: Record<string, Command> = {
  "account create": {
    options: ["plan", "status"],
    words: 1,
    run: async (sql, { words, values }) => ({
      answer: await createAccount(sql, {
        name: words[0]!,
        plan: required(values, "plan"),
        status: values.status ?? "active",
      }),
    }),
  },
  "key create": {
    options: ["account", "name"],
    words: 0,
    run: async (sql, { values }) => ({
      answer: await createApiKey(sql, {
        account_id: integer(values, "account"),
        name: values.name ?? "",
      }),
    }),
  },
  "key revoke": {
    options: [],
    words: 1,
    run: async (sql, { words }) => ({
      answer: found(
        await revokeApiKey(sql, integer({ KEY_ID: words[0] }, "KEY_ID")),
        `key ${words[0]}`,
      ),
    }),
  },
  "key list": {
    options: ["account"],
    words: 0,
    run: async (sql, { values }) => {
      const account_id = integer(values, "account");
      const keys = found(await listApiKeys(sql, account_id), `account ${account_id}`);
      return { answer: { keys } };
    },
  },
  "subscription set": {
    options: ["account", "plan", "status"],
    words: 0,
    run: async (sql, { values }) => {
      const { plan, status } = values;
      if (plan === undefined && status === undefined) throw new UsageError(ADMIN_USAGE);
      const account_id = integer(values, "account");
      return {
        answer: found(
          await setSubscription(sql, { account_id, plan, status }),
          `account ${account_id}`,
        ),
      };
    },
  },
  "plan set": {
    options: Object.keys(PLAN_RANGES),
    words: 1,
    run: async (sql, { words, values }) => {
      const given = Object.entries(PLAN_RANGES).filter(([option]) => option in values);
      if (given.length === 0) throw new UsageError(ADMIN_USAGE);
      const terms = Object.fromEntries(
        given.map(([option, range]) => [
          option.replaceAll("-", "_"),
          integer(values, option, range),
        ]),
      );
      return { answer: found(await setPlan(sql, words[0]!, terms), `plan ${words[0]}`) };
    },
  },
  ...SOURCE_COMMANDS,
  ...COMPANY_COMMANDS,
  "withdraw": {
    options: ["observation", "evidence-uri", "company"],
    words: 0,
    run: async (sql, { values }) => {
      const given = Object.keys(values);
      if (given.length !== 1) throw new UsageError(ADMIN_USAGE);
      switch (given[0]) {
        case "observation": {
          const id = integer(values, "observation");
          return { answer: found(await withdrawObservation(sql, id), `observation ${id}`) };
        }
        case "company": {
          const id = integer(values, "company");
          return { answer: found(await suppressCompany(sql, id), `company ${id}`) };
        }
        default:
          return { answer: await withdrawEvidence(sql, required(values, "evidence-uri")) };
      }
    },
  },
  "usage verify": {
    options: [],
    words: 0,
    run: async (sql) => {
      const answer = await verifyUsage(sql);
      return { answer, exit_code: answer.differences.length === 0 ? 0 : 1 };
    },
  },
};
