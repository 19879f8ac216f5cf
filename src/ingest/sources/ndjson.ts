import type { Entry } from "../entry.ts";
import { parseJson } from "../json_elements.ts";
import { readLines } from "../lines.ts";
import { type Judged, normalizeRecord } from "../normalize.ts";

/** NDJSON in the form of design section 4, one record a line; empty lines are passed over. */
export async function* readNdjson(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  for await (const { number, text, fault } of readLines(stream)) {
    if (fault === undefined && text.trim() === "") continue;
    const judged = fault === undefined ? judge(text) : { reason: `the line ${fault}` };
    yield { line: number, raw: text, judged };
  }
}

function judge(text: string): Judged {
  const parsed = parseJson(text);
  return "reason" in parsed
    ? { reason: `the line ${parsed.reason}` }
    : normalizeRecord(parsed.value);
}
