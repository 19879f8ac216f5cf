/** One record of a text file, as text: a line, or in CSV the lines that quotes hold together. */
export interface Line {
  /** The number of its first line, from 1. */
  number: number;
  /** Without the line break that ends it. Of an overlong one, the start. */
  text: string;
  /** Why it cannot be used, where it cannot. */
  fault?: string;
}

/** A longer record is refused, and never held in memory. */
export const LONGEST_LINE_BYTES = 1_048_576;
/** What is kept of a refused one, to show which it was. */
const SHOWN_BYTES = 2_000;

const LINE_FEED = 10;
const QUOTE = 34;

const strict = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8");

/**
 * Reads a stream record by record (LF or CRLF), in memory of one record and one chunk.
 * With `quoted`, a line break inside double quotes belongs to the record, as in CSV; after an
 * overlong record reading goes on at the next line, so that a quote never closed costs 1 MiB at
 * most. A record that is not UTF-8 is at fault, or read in the encoding that `otherwise` names.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  { quoted = false, longest = LONGEST_LINE_BYTES, otherwise }: {
    quoted?: boolean;
    longest?: number;
    otherwise?: "windows-1252";
  } = {},
): AsyncGenerator<Line> {
  const second = otherwise && new TextDecoder(otherwise);
  let number = 1;
  let held = new HeldLine(longest);
  for await (const chunk of stream) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
      if (quoted) held.countQuotes(chunk, start, at);
      held.add(chunk.subarray(start, at));
      if (held.quoteIsOpen && !held.overlong) {
        held.add(chunk.subarray(at, at + 1));
        held.lines++;
      } else {
        yield held.line(number, second);
        number += held.lines;
        held = new HeldLine(longest);
      }
      start = at + 1;
    }
    if (quoted) held.countQuotes(chunk, start, chunk.length);
    held.add(chunk.subarray(start));
    held.detach();
  }
  if (held.length > 0) yield held.line(number, second);
}

/** What has been read of a record so far; of more than the longest, only the start. */
export class HeldLine {
  length = 0;
  lines = 1;
  quoteIsOpen = false;
  #parts: Uint8Array[] = [];
  /** How many of the parts are copies. */
  #own = 0;

  constructor(readonly longest: number) {}

  get overlong(): boolean {
    return this.length > this.longest;
  }

  countQuotes(chunk: Uint8Array, start: number, end: number) {
    let at = chunk.indexOf(QUOTE, start);
    while (at !== -1 && at < end) {
      this.quoteIsOpen = !this.quoteIsOpen;
      at = chunk.indexOf(QUOTE, at + 1);
    }
  }

  add(part: Uint8Array) {
    const wasOverlong = this.overlong;
    this.length += part.length;
    if (wasOverlong || part.length === 0) return;
    this.#parts.push(part);
    if (this.overlong) this.#parts = [joined(this.#parts).slice(0, SHOWN_BYTES)];
  }

  /** The stream may use a chunk's memory again: what is kept of it must be a copy. */
  detach() {
    for (; this.#own < this.#parts.length; this.#own++) {
      this.#parts[this.#own] = this.#parts[this.#own]!.slice();
    }
  }

  line(number: number, second?: TextDecoder): Line {
    const bytes = joined(this.#parts);
    if (this.overlong) {
      return { number, text: lenient.decode(bytes), fault: `is longer than ${this.longest} bytes` };
    }
    try {
      return { number, text: strict.decode(bytes).replace(/\r$/, "") };
    } catch {
      if (second !== undefined) return { number, text: second.decode(bytes).replace(/\r$/, "") };
      return { number, text: lenient.decode(bytes), fault: "is not valid UTF-8" };
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
