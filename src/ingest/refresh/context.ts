import type { Sql } from "../../db/connect.ts";
import type { Log } from "../../log.ts";
import type { Asking } from "../ask.ts";
import type { BatchSize } from "../pipeline.ts";
import type { Source } from "../source.ts";

/** What it takes to refresh what sources show. */
export interface RefreshContext extends Asking {
  sql: Sql;
  log: Log;
  sources: ReadonlyMap<string, Source>;
  batch: BatchSize;
  /** Fixes the clock of the schedule in tests. */
  now?: () => Date;
}
