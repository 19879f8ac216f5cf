import type { Entry } from "../entry.ts";
import { parseJson } from "../json_elements.ts";
import { checkEnd, readLines } from "../lines.ts";
import { normalizeRecord } from "../normalize.ts";

/** NDJSON in the form of design section 4, one record a line; empty lines are passed over. */
export async function* readNdjson(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  for await (const line of readLines(stream)) {
    const { number, text, fault } = line;
    if (fault === undefined && text.trim() === "") continue;
    const parsed = fault === undefined ? parseJson(text) : { reason: fault };
    const judged = "reason" in parsed
      ? { reason: `the line ${parsed.reason}` }
      : normalizeRecord(parsed.value);
    yield { line: number, raw: text, judged };
    checkEnd(line, { isSound: "value" in parsed });
  }
}
