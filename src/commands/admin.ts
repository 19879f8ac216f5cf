/**
 * `admin`: manages customers, accounts, keys, plans, sources, companies, withdrawals, usage and the
 * demo.
 */
import { countDemo, removeDemo } from "../demo/demo.ts";
import { UsageError } from "../failures.ts";
import {
  listMerges,
  mergeCompanies,
  showCompany,
  splitCompany,
} from "../ingest/record/company_merges.ts";
import {
  suppressCompany,
  withdrawEvidence,
  withdrawObservation,
} from "../ingest/record/withdraw.ts";
import { ACCOUNT_COMMANDS } from "./admin_accounts.ts";
import {
  type AdminArguments,
  type AdminCommand,
  helpOf,
  integer,
  readArguments,
  requireFound,
  usageOf,
} from "./admin_arguments.ts";
import { answerText } from "./answer_text.ts";
import { SOURCE_COMMANDS } from "./admin_sources.ts";
import { USAGE_COMMANDS } from "./admin_usage.ts";
import type { CommandContext } from "./command.ts";
import { forgetDemo } from "./demo.ts";

/**
 * Max seconds per statement. Hiding a source updates each of its observations, a million per
 * minute.
 */
const STATEMENT_SECONDS = 900;

/** Max number of characters of a reason. The number is chosen. */
const REASON_CHARACTERS = 500;
/** Numbers of merges that are listed by default, and at most. Both are chosen. */
const MERGES_SHOWN = 100;
const MERGES_MAX = 10_000;

const COMMANDS: Record<string, AdminCommand> = {
  ...ACCOUNT_COMMANDS,
  ...SOURCE_COMMANDS,
  "company show": {
    summary: "Prints the stored data of a company, without its observations.",
    words: ["ID"],
    run: async (sql, { ids: [id] }) => requireFound(await showCompany(sql, id!), `company ${id}`),
  },
  "company merge": {
    summary: "Joins two companies into one. `company split` undoes it.",
    words: ["KEPT_ID", "MERGED_ID"],
    options: { reason: "TEXT" },
    run: async (sql, { ids: [kept, merged], values: { reason = "by an operator" } }) => {
      if (reason.length > REASON_CHARACTERS) {
        throw new UsageError(`--reason: ${REASON_CHARACTERS} characters at most`);
      }
      return await mergeCompanies(sql, { kept: kept!, merged: merged!, reason });
    },
  },
  "company split": {
    summary: "Undoes a merge.",
    words: ["MERGE_ID"],
    run: async (sql, { ids: [id] }) => requireFound(await splitCompany(sql, id!), `merge ${id}`),
  },
  "company merges": {
    summary: `Lists the latest merges, ${MERGES_SHOWN} by default.`,
    options: { limit: "N" },
    run: async (sql, { values }) => {
      const limit = integer({ limit: `${MERGES_SHOWN}`, ...values }, "limit", [1, MERGES_MAX]);
      return { merges: await listMerges(sql, limit) };
    },
  },
  "withdraw": {
    summary: "Hides one observation, all evidence of one address, or one company, for ever.",
    options: { "observation": "N", "evidence-uri": "URI", "company": "N" },
    irreversible({ values }) {
      const targets = ["observation", "evidence-uri", "company"].filter((name) => name in values);
      if (targets.length === 1) {
        return "Withdrawn evidence is never shown again, even if a source delivers it again.";
      }
      throw new UsageError("withdraw: one of --observation, --evidence-uri, --company is required");
    },
    run: async (sql, { values }) => {
      if (values.observation !== undefined) {
        const id = integer(values, "observation");
        return requireFound(await withdrawObservation(sql, id), `observation ${id}`);
      }
      if (values.company !== undefined) {
        const id = integer(values, "company");
        return requireFound(await suppressCompany(sql, id), `company ${id}`);
      }
      const uri = values["evidence-uri"]!;
      if (!URL.canParse(uri)) {
        throw new UsageError("--evidence-uri: a whole address is required, as answers show it");
      }
      const change = await withdrawEvidence(sql, uri);
      const note = "No evidence that is shown now has this address.";
      return change.observations === 0 ? { ...change, note } : change;
    },
  },
  ...USAGE_COMMANDS,
  "demo remove": {
    summary: "Deletes the demo dataset, and the account of the demo with its usage.",
    irreversible: () => "The demo dataset and the demo account with its usage are deleted.",
    run: async (sql, _args, { settings }) => {
      const { observations, account_id } = await countDemo(sql);
      if (observations === 0 && account_id === null) throw new Error("there is no demo");
      const answer = await removeDemo(sql);
      if (settings.DATABASE_URL === undefined) await forgetDemo(settings.DATA_DIR);
      return answer;
    },
  },
};

/** Usage of all commands of `admin`. */
export const ADMIN_USAGE = usageOfGroup("");

/**
 * Runs a command of `admin`.
 * @returns the exit code
 * @throws UsageError, or an Error that names the problem
 */
export async function admin(
  args: string[],
  context: CommandContext,
  print: (line: string) => void,
): Promise<number> {
  const help = adminHelp(args);
  if (help !== undefined) {
    print(help);
    return 0;
  }
  const name = nameIn(args);
  if (name === undefined) throw new UsageError(usageOfGroup(args.join(" ")));
  const { command, parsed } = readCommand(name, args);
  await confirm(name, { command, parsed, context });
  const { create } = parsed.values;
  const options = { statement_timeout_seconds: STATEMENT_SECONDS, create: Boolean(create) };
  await using stack = new AsyncDisposableStack();
  const { sql } = stack.adopt(await context.database(options), (db) => db.close());
  const draws = context.draws === true && !parsed.values.json;
  let exitCode = 0;
  const fail = () => void (exitCode = 1);
  const answer = await command.run(sql, parsed, { ...context, print, draws, fail });
  if (answer !== undefined) print(draws ? answerText(answer) : JSON.stringify(answer));
  return exitCode;
}

/**
 * Returns the text of `--help` for a command, or for a group of commands such as `key`. Returns
 * undefined if it was not requested. Needs neither settings nor a database.
 * @throws UsageError if there is no such command
 */
export function adminHelp(args: string[]): string | undefined {
  if (!args.includes("--help")) return undefined;
  const name = nameIn(args);
  if (name === undefined) return usageOfGroup(args.filter((word) => word !== "--help").join(" "));
  const { command, parsed } = readCommand(name, args);
  return parsed.values.help ? helpOf(name, command) : undefined;
}

/** Returns the name of the command, one or two words, at the beginning of the arguments. */
function nameIn(args: string[]): string | undefined {
  return Object.keys(COMMANDS).find((words) =>
    words.split(" ").every((word, at) => args[at] === word)
  );
}

function readCommand(
  name: string,
  args: string[],
): { command: AdminCommand; parsed: AdminArguments } {
  const command = COMMANDS[name]!;
  const words = args.slice(name.split(" ").length);
  return { command, parsed: readArguments(words, command, usageOf(name, command)) };
}

/**
 * Returns the usage of a group of commands. @throws UsageError if no command begins with the words
 */
function usageOfGroup(group: string): string {
  const usage = Object.entries(COMMANDS)
    .filter(([name]) => group === "" || name.startsWith(`${group} `))
    .map(([name, command]) => usageOf(name, command))
    .join("\n");
  if (usage === "") throw new UsageError(`there is no command admin ${group}\n${ADMIN_USAGE}`);
  return usage;
}

/**
 * Asks the operator for confirmation of an irreversible command, unless `--yes` is set.
 * @throws UsageError without a terminal; Error if the operator declines
 */
async function confirm(
  name: string,
  { command, parsed, context }: {
    command: AdminCommand;
    parsed: AdminArguments;
    context: CommandContext;
  },
): Promise<void> {
  const warning = command.irreversible?.(parsed);
  if (warning === undefined || parsed.values.yes) return;
  if (context.confirm === undefined) {
    throw new UsageError(`${warning} Confirm with --yes: admin ${name} … --yes`);
  }
  if (!await context.confirm(warning)) throw new Error("nothing was changed");
}
