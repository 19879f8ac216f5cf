import { Slices } from "../../slices.ts";
import { UnreadableSource } from "../record/entry.ts";
import { GrowingBytes } from "./growing_bytes.ts";

/** One record of a text file, as text: a line, or in CSV the lines that quotes hold together. */
export interface TextLine {
  /** The number of its first line, from 1. */
  number: number;
  /** Text without the line break that ends it; the start of an overlong line. */
  text: string;
  /** Why it cannot be used, where it cannot. */
  fault?: string;
  /** Given where the file ends without the line break that would end it: it may have been cut. */
  unended?: true;
}

/**
 * Checks what came of a line; to be called once its entry was given.
 *
 * @throws UnreadableSource where the file ends within it: then more is missing than this line
 */
export function checkEnd({ unended }: TextLine, { isSound }: { isSound: boolean }): void {
  if (unended && !isSound) throw new UnreadableSource("the file ends within a record");
}

/** A longer record is refused, and never held in memory. */
const LONGEST_LINE_BYTES = 1_048_576;
/** Max bytes that are kept of a refused line, to identify it. */
const SHOWN_BYTES = 2_000;

const LINE_FEED = 10;
const QUOTE = 34;

const strict = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8");

/**
 * Reads a stream record by record (LF or CRLF), in memory of one record and one chunk. Empty lines
 * are passed over, but counted.
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
): AsyncGenerator<TextLine> {
  const second = otherwise && new TextDecoder(otherwise);
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

/** The quotes of a chunk, each looked for once: a chunk of many lines may hold none. */
class Quotes {
  /** Position of the next quote; -1 if there is none. */
  #at: number;

  constructor(readonly chunk: Uint8Array) {
    this.#at = chunk.indexOf(QUOTE);
  }

  /** @returns whether an odd number of them stands between the last index asked for and this. */
  areOddUntil(end: number): boolean {
    let odd = false;
    for (; this.#at !== -1 && this.#at < end; odd = !odd) {
      this.#at = this.chunk.indexOf(QUOTE, this.#at + 1);
    }
    return odd;
  }
}

/** Part of a line that has been read so far. Of an overlong line it holds the start alone. */
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

  /** The stream may use a chunk's memory again: what is kept of it must be a copy. */
  detach() {
    for (const part of this.#parts) this.#held.add(part);
    this.#parts = [];
  }

  /** A file may hold millions of empty lines: decoding them would keep this thread busy. */
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

  /** A line that lies within one chunk, as nearly all do, is not copied. */
  #bytes(): Uint8Array {
    if (this.#held.length === 0 && this.#parts.length === 1) return this.#parts[0]!;
    this.detach();
    return this.#held.bytes;
  }
}
