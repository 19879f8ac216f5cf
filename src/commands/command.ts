/** What every command gets and gives. */
import type { Settings } from "../config.ts";
import type { Database, DatabaseOptions } from "../db/connect.ts";
import type { Log } from "../log.ts";

/** Surroundings of a command. */
export interface CommandContext {
  /**
   * Opens the database of the settings: migrated, closed by whoever runs the command. A directory
   * without a database is refused, unless `create` is true.
   */
  database: (options?: OpenOptions) => Promise<Database>;
  /** Asks the operator a question. Absent if nobody is at the terminal. */
  confirm?: (question: string) => Promise<boolean>;
  /** Whether standard output is a terminal; false if absent. */
  draws?: boolean;
  log: Log;
  settings: Settings;
}

/** What a command may say about the database that it opens. */
export interface OpenOptions extends Pick<DatabaseOptions, "statement_timeout_seconds"> {
  /** Whether an embedded database is made where there is none. */
  create?: boolean;
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
