/** `admin`: accounts, keys, plans, sources, companies, withdrawals, usage, the demo. */
import { countDemo, removeDemo } from "../ingest/demo_removal.ts";
import { suppressCompany, withdrawEvidence, withdrawObservation } from "../ingest/withdraw.ts";
import { ACCOUNT_COMMANDS } from "./admin_accounts.ts";
import {
  type Arguments,
  type Command,
  found,
  helpOf,
  integer,
  readArguments,
  required,
  usageOf,
} from "./admin_arguments.ts";
import { COMPANY_COMMANDS } from "./admin_companies.ts";
import { SOURCE_COMMANDS } from "./admin_sources.ts";
import { USAGE_COMMANDS } from "./admin_usage.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { forgetDemo } from "./demo.ts";

/** Seconds for one statement: hiding a source marks each of its observations, a million per minute. */
const STATEMENT_SECONDS = 900;

const COMMANDS: Record<string, Command> = {
  ...ACCOUNT_COMMANDS,
  ...SOURCE_COMMANDS,
  ...COMPANY_COMMANDS,
  "withdraw": {
    summary: "Hides one observation, all evidence of one address, or one company, for ever.",
    options: { "observation": "N", "evidence-uri": "URI", "company": "N" },
    irreversible: () => "What is withdrawn is never shown again, even if it comes in again.",
    run: async (sql, { values }) => {
      const { observation, company } = values;
      if (observation !== undefined) {
        const id = integer(values, "observation");
        return { answer: found(await withdrawObservation(sql, id), `observation ${id}`) };
      }
      if (company !== undefined) {
        const id = integer(values, "company");
        return { answer: found(await suppressCompany(sql, id), `company ${id}`) };
      }
      return { answer: await withdrawEvidence(sql, required(values, "evidence-uri")) };
    },
  },
  ...USAGE_COMMANDS,
  "demo remove": {
    summary: "Deletes the demo dataset, the account of the demo, and all that it was charged.",
    irreversible: () => "The demo dataset and the demo account with its usage are deleted.",
    run: async (sql, _args, { settings }) => {
      const { observations, account_id } = await countDemo(sql);
      if (observations === 0 && account_id === null) throw new Error("there is no demo");
      const answer = await removeDemo(sql);
      if (settings.DATABASE_URL === undefined) await forgetDemo(settings.DATA_DIR);
      return { answer };
    },
  },
};

/** Usage of all commands of `admin`. */
export const ADMIN_USAGE = usageOfGroup("");

/**
 * Runs a command of `admin`.
 * @returns the exit code
 * @throws UsageError, or an Error that names what was wrong
 */
export async function admin(
  args: string[],
  context: CommandContext,
  print: (line: string) => void,
): Promise<number> {
  const name = Object.keys(COMMANDS).find((words) =>
    words.split(" ").every((word, at) => args[at] === word)
  );
  if (name === undefined) return helpWithout(args, print);
  const command = COMMANDS[name]!;
  const parsed = readArguments(
    args.slice(name.split(" ").length),
    command,
    usageOf(name, command),
  );
  if (parsed.values.help) {
    print(helpOf(name, command));
    return 0;
  }
  if (name === "withdraw") requireOneTarget(parsed);
  await confirm(name, { command, parsed, context });
  const db = await context.database({
    statement_timeout_seconds: STATEMENT_SECONDS,
    create: Boolean(parsed.values.create),
  });
  try {
    const { answer, text, exit_code = 0 } = await command.run(db.sql, parsed, {
      ...context,
      print,
    });
    if (text !== undefined) print(text);
    if (answer !== undefined) print(JSON.stringify(answer));
    return exit_code;
  } finally {
    await db.close();
  }
}

/** Prints the usage of a group of commands, such as `key`, if help was asked for. */
function helpWithout(args: string[], print: (line: string) => void): number {
  const group = args.filter((word) => word !== "--help").join(" ");
  const usage = usageOfGroup(group) || ADMIN_USAGE;
  if (!args.includes("--help")) throw new UsageError(usage);
  print(usage);
  return 0;
}

function usageOfGroup(group: string): string {
  return Object.entries(COMMANDS)
    .filter(([name]) => group === "" || name.startsWith(`${group} `))
    .map(([name, command]) => usageOf(name, command))
    .join("\n");
}

/** @throws UsageError unless one thing is named: before the operator is asked about it */
function requireOneTarget({ values }: Arguments): void {
  const targets = ["observation", "evidence-uri", "company"].filter((name) => name in values);
  if (targets.length !== 1) {
    throw new UsageError("withdraw: one of --observation, --evidence-uri, --company is required");
  }
}

/** Asks before what cannot be undone. @throws UsageError if nobody can be asked */
async function confirm(
  name: string,
  { command, parsed, context }: { command: Command; parsed: Arguments; context: CommandContext },
): Promise<void> {
  const warning = command.irreversible?.(parsed);
  if (warning === undefined || parsed.values.yes) return;
  if (context.confirm === undefined) {
    throw new UsageError(`${warning} Confirm with --yes: admin ${name} … --yes`);
  }
  if (!await context.confirm(warning)) throw new Error("nothing was changed");
}
