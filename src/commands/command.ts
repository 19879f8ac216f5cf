/** What every command gets and gives. */
import type { Settings } from "../config.ts";
import type { Database, DatabaseOptions } from "../db/connect.ts";
import type { Log } from "../log.ts";

export interface CommandContext {
  /** Opens the database of the settings: migrated, closed by whoever runs the command. */
  database: (options?: Pick<DatabaseOptions, "statement_timeout_seconds">) => Promise<Database>;
  log: Log;
  settings: Settings;
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
