import type { Entry } from "../entry.ts";
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Brackets without end overflow the parser's stack.
    if (error instanceof SyntaxError || error instanceof RangeError) {
      return { reason: "the line is not JSON" };
    }
    throw error;
  }
  return normalizeRecord(value);
}
