/** Counts of an ingest, as tests expect them. */
import { type IngestCounts, NOTHING_READ } from "../../src/ingest/record/pipeline.ts";

/** Returns counts that are zero but for these. */
export function countsOf(part: Partial<IngestCounts>): IngestCounts {
  return { ...NOTHING_READ, ...part };
}
