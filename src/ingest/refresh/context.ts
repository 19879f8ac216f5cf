/** Holds what the polling of sources needs from its process. */
import type { Sql } from "../../db/connect.ts";
import type { Log } from "../../log.ts";
import type { Metrics } from "../../metrics.ts";
import type { Asking } from "./ask.ts";
import type { BatchSize, IngestCounts } from "../record/pipeline.ts";
import type { Source } from "../sources/kit/source.ts";

/** Dependencies of a refresh. */
export interface RefreshContext extends Asking {
  sql: Sql;
  log: Log;
  sources: ReadonlyMap<string, Source>;
  batch: BatchSize;
  /** Counters of records. Absent: nothing is counted. */
  metrics?: Pick<Metrics, "sourceRecords">;
  /** Fixes the clock of the schedule in tests. */
  now?: () => Date;
}

/** Adds the counts of a source's records to the metrics, by outcome. */
export function countRecords(
  { metrics }: Pick<RefreshContext, "metrics">,
  source: string,
  { recorded, revised, unchanged, rejected, left_out }: IngestCounts,
): void {
  metrics?.sourceRecords(source, { recorded, revised, unchanged, rejected, left_out });
}
