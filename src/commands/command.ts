/** Input and output of every command. */
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
  /** True if standard output is a terminal; false if absent. */
  draws?: boolean;
  log: Log;
  settings: Settings;
}

/** Options of a command for the database that it opens. */
interface OpenOptions extends Pick<DatabaseOptions, "statement_timeout_seconds"> {
  /** Returns whether an embedded database is made where there is none. */
  create?: boolean;
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
