import { Slices } from "../../slices.ts";
import { UnreadableSource } from "../record/entry.ts";
import { GrowingBytes } from "./growing_bytes.ts";

/** One record of a text file, as text: a line, or in CSV the lines that quotes hold together. */
export interface TextLine {
  /** The number of its first line, from 1. */
  number: number;
  /** Text without the line break that ends it; the start of an overlong line. */
  text: string;
  /** Reason why the text cannot be used. */
  fault?: string;
  /** True for a last line without a line break. It may have been cut. */
  unended?: true;
}

/**
 * Checks a line that is not sound after its entry was given.
 *
 * @throws UnreadableSource if the file ends within it, because more than this line is missing then
 */
export function checkEnd({ unended }: TextLine, { isSound }: { isSound: boolean }): void {
  if (unended && !isSound) throw new UnreadableSource("the file ends within a record");
}

/** Max bytes of a record. A longer one is rejected, and never held in memory. */
const LONGEST_LINE_BYTES = 1_048_576;
/** Max bytes that are kept of a refused line, to identify it. */
const SHOWN_BYTES = 2_000;

const LINE_FEED = 10;
const QUOTE = 34;

const strict = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8");

/**
 * Reads a stream record by record (LF or CRLF). Holds one record and one chunk in memory. Empty
 * lines are skipped, but counted.
 *
 * With `quoted`, a line break inside double quotes belongs to the record, as in CSV. After an
 * overlong record, reading goes on at the next line, so an unclosed quote costs 1 MiB at most. A
 * record that is not UTF-8 has a fault, unless `fallback_encoding` names the encoding to read it
 * in.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  { quoted = false, longest = LONGEST_LINE_BYTES, fallback_encoding }: {
    quoted?: boolean;
    longest?: number;
    fallback_encoding?: "windows-1252";
  } = {},
): AsyncGenerator<TextLine> {
  const second = fallback_encoding && new TextDecoder(fallback_encoding);
  let number = 1;
  let held = new HeldLine(longest);
  // A chunk may hold thousands of records, each of which is judged before the next is read.
  const slices = new Slices();
  for await (const chunk of stream) {
    const quotes = quoted ? new Quotes(chunk) : undefined;
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
      if (quotes?.areOddUntil(at)) held.quoteIsOpen = !held.quoteIsOpen;
      held.add(chunk.subarray(start, at));
      if (held.quoteIsOpen && !held.overlong) {
        held.add(chunk.subarray(at, at + 1));
        held.lines++;
      } else {
        const line = held.lineUnlessEmpty(number, second);
        if (line !== undefined) yield line;
        number += held.lines;
        if (held.length > 0) held = new HeldLine(longest);
      }
      start = at + 1;
      if (slices.isOver) await slices.turn();
    }
    if (quotes?.areOddUntil(chunk.length)) held.quoteIsOpen = !held.quoteIsOpen;
    held.add(chunk.subarray(start));
    held.detach();
  }
  const last = held.lineUnlessEmpty(number, second);
  if (last !== undefined) yield { ...last, unended: true };
}

/** Finder of the quotes of a chunk. It searches the chunk once, not again for each of its lines. */
class Quotes {
  /** Position of the next quote; -1 if there is none. */
  #at: number;

  constructor(readonly chunk: Uint8Array) {
    this.#at = chunk.indexOf(QUOTE);
  }

  /**
   * Returns whether an odd number of quotes stands between the end of the last call and this one.
   */
  areOddUntil(end: number): boolean {
    let odd = false;
    for (; this.#at !== -1 && this.#at < end; odd = !odd) {
      this.#at = this.chunk.indexOf(QUOTE, this.#at + 1);
    }
    return odd;
  }
}

/** The part of a line that has been read so far. Only the start of an overlong line is held. */
export class HeldLine {
  length = 0;
  lines = 1;
  quoteIsOpen = false;
  /** Copies of parts from earlier chunks. */
  #held = new GrowingBytes();
  /** Views of the chunk that is being read. */
  #parts: Uint8Array[] = [];

  constructor(readonly longest: number) {}

  get overlong(): boolean {
    return this.length > this.longest;
  }

  add(part: Uint8Array) {
    const wasOverlong = this.overlong;
    this.length += part.length;
    if (wasOverlong || part.length === 0) return;
    this.#parts.push(part);
    if (this.overlong) {
      const shown = this.#bytes().slice(0, SHOWN_BYTES);
      this.#held = new GrowingBytes();
      this.#parts = [shown];
    }
  }

  /** Copies what is held of the chunk, because the stream may reuse its memory. */
  detach() {
    for (const part of this.#parts) this.#held.add(part);
    this.#parts = [];
  }

  /** Returns the line, or nothing if it is empty. A file may hold millions of empty lines. */
  lineUnlessEmpty(number: number, second?: TextDecoder): TextLine | undefined {
    const line = this.length === 0 ? undefined : this.line(number, second);
    return line?.text === "" ? undefined : line;
  }

  line(number: number, second?: TextDecoder): TextLine {
    const bytes = this.#bytes();
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

  /** Returns the bytes. A line within one chunk, as nearly all are, is not copied. */
  #bytes(): Uint8Array {
    if (this.#held.length === 0 && this.#parts.length === 1) return this.#parts[0]!;
    this.detach();
    return this.#held.bytes;
  }
}
