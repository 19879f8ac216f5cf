import type { Entry } from "../entry.ts";
import { readJsonLines } from "../json_lines.ts";
import { normalizeRecord } from "../normalize.ts";

/** Reads NDJSON in the form of design section 4, one record a line; empty lines are passed over. */
export function readNdjson(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  return readJsonLines(stream, { judge: (value) => normalizeRecord(value) });
}
