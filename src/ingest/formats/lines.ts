/** Divides a text into lines of bounded length, and bytes into texts. */
import { Slices } from "../../slices.ts";
import { UnreadableSource } from "../record/entry.ts";
import { textBytes } from "./packed.ts";

/** One line of a text file, or one element of a JSON array. */
export interface TextLine {
  /** Number of its first line, from 1. */
  number: number;
  /** Text without its final line break; only the start of an overlong line. */
  text: string;
  /** Reason why the text cannot be used. */
  fault?: string;
  /** Number of quotes of an overlong line, whose text lacks most of them. */
  quotes?: number;
  /** True for a last line without a line break. It may have been cut. */
  unended?: true;
}

/**
 * Checks that the file does not end within the line. Callers yield the entry of the line first,
 * unless a cut line would give a wrong entry. `isComplete` is false if the line may have been cut.
 *
 * @throws UnreadableSource if the file may end within the line, because further records are then
 * missing as well
 */
export function checkEnd({ unended }: TextLine, { isComplete }: { isComplete: boolean }): void {
  if (unended && !isComplete) throw new UnreadableSource("the file ends within a record");
}

/** @throws UnreadableSource if texts of the first line show UTF-16, or line ends of CR */
export function checkCharacters(texts: readonly string[]): void {
  const odd = texts.find((text) => /[\r\0]/.test(text));
  if (odd === undefined) return;
  throw new UnreadableSource(
    odd.includes("\0")
      ? "the file seems to be in UTF-16; save it as UTF-8, or name `encoding` utf-16le or utf-16be " +
        "in a mapping"
      : "the lines end with CR alone; save the file with line ends of LF or CRLF",
  );
}

/** Max bytes of a line. A longer line is rejected, and its rest is not held in memory. */
const LINE_BYTES_MAX = 1_048_576;
/** Max bytes that are shown of an overlong line, to identify it. */
const SHOWN_BYTES = 2_000;

/** Fault of a line that is in another encoding. */
export const NOT_UTF8 = "is not valid UTF-8";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;

const utf8 = new TextDecoder("utf-8", { fatal: true });
const lenientUtf8 = new TextDecoder("utf-8");

/**
 * Reads a stream line by line. Lines end with LF, CRLF or CRCRLF. One line and one chunk are held
 * in memory. Empty lines are skipped, but counted. A line that is not UTF-8 has a fault, unless
 * `fallback_encoding` names an encoding with which it is then decoded. A line has a fault all the
 * same if it has more letters in UTF-8 than other bytes, because it is UTF-8 that was cut.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  { longest = LINE_BYTES_MAX, fallback_encoding, first_line = 1 }: {
    longest?: number;
    fallback_encoding?: "windows-1252";
    /** Number of the first line that is read. */
    first_line?: number;
  } = {},
): AsyncGenerator<TextLine> {
  const fallback = fallback_encoding && new TextDecoder(fallback_encoding);
  const held = new HeldLine(longest);
  let number = 0;
  const take = (): TextLine[] => {
    number++;
    // Empty lines are dropped early, because a file may contain millions of them.
    const line = held.length === 0 ? undefined : held.take(number, fallback);
    return line === undefined || line.text === "" || number < first_line ? [] : [line];
  };
  // A chunk may contain thousands of lines, and the caller processes each one before the next is
  // read. The event loop must be able to run in between.
  const slices = new Slices();
  for await (const chunk of textBytes(stream)) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
      held.add(chunk.subarray(start, at));
      yield* take();
      start = at + 1;
      if (slices.isOver) await slices.turn();
    }
    held.add(chunk.subarray(start));
  }
  for (const line of take()) yield { ...line, unended: true };
}

/** The line that is being read. Its memory is used again for the next one. */
export class HeldLine {
  length = 0;
  #held = new GrowingBytes();
  /** Number of quotes after the held bytes. */
  #quotes = 0;

  constructor(readonly longest: number) {}

  /** Adds a copy of a part. Only the start of an overlong line is held. */
  add(part: Uint8Array) {
    this.length += part.length;
    const room = this.longest - this.#held.length;
    this.#held.add(part.subarray(0, room));
    if (part.length > room) this.#quotes += quotesIn(part.subarray(room));
  }

  /** Returns the line, and starts the next one. */
  take(number: number, fallback?: TextDecoder): TextLine {
    const { bytes } = this.#held;
    // A regular expression would take quadratic time for a line of carriage returns.
    const end = bytes.findLastIndex((byte) => byte !== CARRIAGE_RETURN) + 1;
    const line = bytes.subarray(0, end);
    const isOverlong = this.length > this.longest;
    this.length = 0;
    this.#held.length = 0;
    if (isOverlong) {
      const fault = `is longer than ${this.longest} bytes`;
      const quotes = this.#quotes + quotesIn(bytes);
      this.#quotes = 0;
      return { number, text: lenientUtf8.decode(bytes.subarray(0, SHOWN_BYTES)), fault, quotes };
    }
    try {
      return { number, text: utf8.decode(line) };
    } catch {
      const text = lenientUtf8.decode(line);
      const letters = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
      const isDamaged = letters > text.split("\ufffd").length - 1;
      if (fallback === undefined || isDamaged) return { number, text, fault: NOT_UTF8 };
      return { number, text: fallback.decode(line) };
    }
  }
}

function quotesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) count++;
  return count;
}

/**
 * The bytes of a stream in one buffer, which doubles when it is full. A list of chunks would cost
 * hundreds of bytes per chunk. A chunk can also be a view that keeps its whole read buffer alive.
 */
export class GrowingBytes {
  length = 0;
  #buffer = new Uint8Array(0);

  /** Appends a copy of a chunk. */
  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  /** View of the bytes so far. The next `add` may move the bytes to another buffer. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.length);
  }
}

/** Returns all bytes. @throws UnreadableSource as soon as there are more than `max` */
export async function readBytes(
  stream: AsyncIterable<Uint8Array>,
  max: number,
): Promise<Uint8Array> {
  const bytes = new GrowingBytes();
  for await (const chunk of stream) {
    if (bytes.length + chunk.length > max) {
      throw new UnreadableSource(`the file is longer than ${max} bytes`);
    }
    bytes.add(chunk);
  }
  return bytes.bytes;
}

/** Decodes bytes, and drops a byte order mark. @throws UnreadableSource if they are not UTF-8 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableSource("the file is not valid UTF-8");
  }
}
