/** Defines input and output of every command. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { Settings } from "../config.ts";
import type { Database, DatabaseOptions } from "../db/connect.ts";
import { UsageError } from "../failures.ts";
import type { Log } from "../log.ts";

/** Context of a command. */
export interface CommandContext {
  /**
   * Opens and migrates the database of the settings. The caller closes it. A directory without a
   * database is refused unless `create` is true.
   */
  database: (options?: OpenOptions) => Promise<Database>;
  /** Asks the operator a question. Absent without a terminal. */
  confirm?: (question: string) => Promise<boolean>;
  /** True if standard output is a terminal; false if absent. */
  draws?: boolean;
  log: Log;
  settings: Settings;
}

/** Options of a command for the database that it opens. */
interface OpenOptions extends Pick<DatabaseOptions, "statement_timeout_seconds"> {
  /** True if a missing embedded database is created. */
  create?: boolean;
}

/**
 * Parses the words and options of a command.
 * @throws UsageError, with the usage, for other options, or for one that is given twice
 */
export function parseWords<const Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
  usage: string,
) {
  try {
    const parsed = parseArgs({
      args: withNegativeNumbers(args, options),
      options,
      allowPositionals: true,
      tokens: true,
    });
    const names = parsed.tokens.flatMap((token) => token.kind === "option" ? [token.name] : []);
    // Only the last value would count, so `withdraw` would leave out the others.
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice !== undefined) throw new Error(`--${twice}: given more than once`);
    return parsed;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}

/** Joins `--limit -5` to `--limit=-5`, so that the check of the value says what it must be. */
function withNegativeNumbers(args: readonly string[], options: ParseArgsOptionsConfig): string[] {
  const joined: string[] = [];
  let isOption = true;
  for (const word of args) {
    const before = joined.at(-1) ?? "";
    isOption &&= before !== "--";
    const takesValue = before.startsWith("--") && options[before.slice(2)]?.type === "string";
    if (isOption && takesValue && /^-\d/.test(word)) joined[joined.length - 1] += `=${word}`;
    else joined.push(word);
  }
  return joined;
}
