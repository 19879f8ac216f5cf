/** Files with one JSON value per line. */
import type { Entry, LeftOut } from "./entry.ts";
import { parseJson } from "./json_elements.ts";
import { checkEnd, readLines } from "./lines.ts";
import type { Judged } from "./normalize.ts";

/**
 * Reads a file line by line into entries. Empty lines are passed over.
 *
 * @param options.longest maximum bytes of a line
 * @param options.judge maps a value to its record, to several, or says why there is none
 * @param options.shown returns what is shown of a rejected value. Nothing is then shown of a line that
 * is not JSON. If absent, the line is shown as it is
 */
export async function* readJsonLines(
  stream: AsyncIterable<Uint8Array>,
  { longest, judge, shown }: {
    longest?: number;
    judge(value: unknown): Judged | LeftOut | Judged[];
    shown?(value: unknown): unknown;
  },
): AsyncGenerator<Entry> {
  for await (const line of readLines(stream, { longest })) {
    const { number, text, fault } = line;
    if (fault === undefined && text.trim() === "") continue;
    const parsed = fault === undefined ? parseJson(text) : { reason: fault };
    const outcome = "value" in parsed
      ? judge(parsed.value)
      : { reason: `the line ${parsed.reason}` };
    for (const judged of [outcome].flat()) {
      yield {
        line: number,
        get raw() {
          if (shown === undefined) return text;
          return "value" in parsed ? shown(parsed.value) : null;
        },
        judged,
      };
    }
    checkEnd(line, { isSound: "value" in parsed });
  }
}
