/** Reads files with one JSON value per line. */
import type { LeftOut, SourceEntry } from "../record/entry.ts";
import { jsonEntry, parseJson } from "./json_elements.ts";
import { checkEnd, readLines } from "./lines.ts";
import { type Judged, normalizeRecord } from "../record/normalize.ts";

/**
 * Reads a file line by line into entries. Empty lines are skipped.
 *
 * @param options.longest max bytes of a line.
 * @param options.judge maps a value to one record or several, or returns the reason why there is
 * none.
 * @param options.shown returns the form in which a rejected value is shown. A line that is not JSON
 * is then not shown. Absent: the line is shown.
 */
export async function* readJsonLines(
  stream: AsyncIterable<Uint8Array>,
  { longest, judge, shown }: {
    longest?: number;
    judge(value: unknown): Judged | LeftOut | Judged[];
    shown?(value: unknown): unknown;
  },
): AsyncGenerator<SourceEntry> {
  for await (const line of readLines(stream, { longest })) {
    const { number, text, fault } = line;
    if (fault === undefined && text.trim() === "") continue;
    const parsed = fault === undefined ? parseJson(text) : { reason: fault };
    const outcome = "value" in parsed
      ? judge(parsed.value)
      : { reason: `the line ${parsed.reason}` };
    for (const judged of [outcome].flat()) yield jsonEntry({ number, text, parsed, shown }, judged);
    checkEnd(line, { isComplete: "value" in parsed });
  }
}

/**
 * Reads NDJSON with one record of the contract (src/contract/record.ts) per line. Empty lines are
 * skipped.
 */
export function readNdjson(stream: AsyncIterable<Uint8Array>): AsyncGenerator<SourceEntry> {
  return readJsonLines(stream, { judge: (value) => normalizeRecord(value) });
}
