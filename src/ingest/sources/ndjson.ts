import type { SourceEntry } from "../record/entry.ts";
import { readJsonLines } from "../formats/json_lines.ts";
import { normalizeRecord } from "../record/normalize.ts";

/**
 * Reads NDJSON with one record of the contract (src/contract/record.ts) per line. Empty lines are
 * skipped.
 */
export function readNdjson(stream: AsyncIterable<Uint8Array>): AsyncGenerator<SourceEntry> {
  return readJsonLines(stream, { judge: (value) => normalizeRecord(value) });
}
