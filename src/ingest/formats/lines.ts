/** Divides a text into lines of bounded length, and bytes into texts. */
import { Slices } from "../../slices.ts";
import { UnreadableSource } from "../record/entry.ts";

/** One line of a text file, or one element of a JSON array. */
export interface TextLine {
  /** Number of its first line, from 1. */
  number: number;
  /** Text without its final line break; only the start of an overlong line. */
  text: string;
  /** Reason why the text cannot be used. */
  fault?: string;
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

/** Max bytes of a line. A longer line is rejected, and never held in memory. */
const LINE_BYTES_MAX = 1_048_576;
/** Max bytes that are kept of an overlong line, to identify it. */
const SHOWN_BYTES = 2_000;

const LINE_FEED = 10;

const utf8 = new TextDecoder("utf-8", { fatal: true });
const lenientUtf8 = new TextDecoder("utf-8");

/**
 * Reads a stream line by line. Lines end with LF or CRLF. One line and one chunk are held in
 * memory. Empty lines are skipped, but counted. A line that is not UTF-8 has a fault, unless
 * `fallback_encoding` names an encoding with which it is then decoded.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  { longest = LINE_BYTES_MAX, fallback_encoding }: {
    longest?: number;
    fallback_encoding?: "windows-1252";
  } = {},
): AsyncGenerator<TextLine> {
  const fallback = fallback_encoding && new TextDecoder(fallback_encoding);
  let number = 1;
  let held = new HeldLine(longest);
  // A chunk may contain thousands of lines, and the caller processes each one before the next is
  // read. The event loop must be able to run in between.
  const slices = new Slices();
  for await (const chunk of stream) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
      held.add(chunk.subarray(start, at));
      const line = held.lineUnlessEmpty(number, fallback);
      if (line !== undefined) yield line;
      number++;
      if (held.length > 0) held = new HeldLine(longest);
      start = at + 1;
      if (slices.isOver) await slices.turn();
    }
    held.add(chunk.subarray(start));
    held.detach();
  }
  const last = held.lineUnlessEmpty(number, fallback);
  if (last !== undefined) yield { ...last, unended: true };
}

/** The part of a line that has been read so far. Only the start of an overlong line is held. */
export class HeldLine {
  length = 0;
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

  /** Copies the parts that are in the current chunk, because the stream may reuse its memory. */
  detach() {
    for (const part of this.#parts) this.#held.add(part);
    this.#parts = [];
  }

  /**
   * Returns the line, or undefined if it is empty. Empty lines are dropped early, because a file
   * may contain millions of them.
   */
  lineUnlessEmpty(number: number, fallback?: TextDecoder): TextLine | undefined {
    const line = this.length === 0 ? undefined : this.line(number, fallback);
    return line?.text === "" ? undefined : line;
  }

  line(number: number, fallback?: TextDecoder): TextLine {
    const bytes = this.#bytes();
    if (this.overlong) {
      return {
        number,
        text: lenientUtf8.decode(bytes),
        fault: `is longer than ${this.longest} bytes`,
      };
    }
    try {
      return { number, text: utf8.decode(bytes).replace(/\r$/, "") };
    } catch {
      if (fallback !== undefined) {
        return { number, text: fallback.decode(bytes).replace(/\r$/, "") };
      }
      return { number, text: lenientUtf8.decode(bytes), fault: "is not valid UTF-8" };
    }
  }

  /** Returns the bytes of the line. A line within one chunk, as nearly all are, is not copied. */
  #bytes(): Uint8Array {
    if (this.#held.length === 0 && this.#parts.length === 1) return this.#parts[0]!;
    this.detach();
    return this.#held.bytes;
  }
}

const NO_BYTES = new Uint8Array(0);

/**
 * The bytes of a stream in one buffer, which doubles when it is full. A list of chunks would cost
 * hundreds of bytes per chunk. A chunk can also be a view that keeps its whole read buffer alive.
 */
export class GrowingBytes {
  length = 0;
  // Each line of a file has a buffer that mostly stays empty, so the empty one is shared.
  #buffer = NO_BYTES;

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
