/** Holds what the polling of sources needs from its process. */
import type { Sql } from "../../db/connect.ts";
import type { Log } from "../../log.ts";
import type { Metrics } from "../../metrics.ts";
import type { Asking } from "./ask.ts";
import type { SourceEntry } from "../record/entry.ts";
import { type BatchSize, type IngestCounts, ingestEntries } from "../record/pipeline.ts";
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

/** Records the entries of an answer, and adds their counts to the metrics of their source. */
export async function recordAnswer(
  { sql, batch, metrics }: RefreshContext,
  source: string,
  entries: AsyncIterable<SourceEntry>,
): Promise<IngestCounts> {
  // Rejected records are only counted. `ingest --fetch` shows them.
  const counts = await ingestEntries(sql, entries, { batch, reject: () => {} });
  const { recorded, revised, unchanged, rejected, left_out } = counts;
  metrics?.sourceRecords(source, { recorded, revised, unchanged, rejected, left_out });
  return counts;
}
