/** Keeps the part of a JSON document that is outside of its arrays, while a reader reads it. */
import { UnreadableSource } from "../record/entry.ts";
import { GrowingBytes } from "./lines.ts";

/**
 * Max bytes that are kept. Parsing them takes a few milliseconds, so that a hostile document does
 * not block the event loop.
 */
const KEPT_BYTES = 1_048_576;

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x5b, 0x5d];

/** The members of a document without the elements of its arrays. */
export class OutsideArrays {
  readonly #kept = new GrowingBytes();
  /** Number of open arrays. */
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  /** Yields the chunks of a document in an encoding that extends ASCII, and keeps their part. */
  async *watch(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      this.#read(chunk);
      yield chunk;
    }
  }

  /** The bytes that were kept so far: a document whose arrays are empty. */
  get bytes(): Uint8Array {
    return this.#kept.bytes;
  }

  #read(chunk: Uint8Array): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inString) {
        if (byte === QUOTE) this.#inString = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN && this.#depth++ === 0) this.#keep(chunk.subarray(start, at + 1));
      else if (byte === CLOSE && --this.#depth === 0) start = at;
    }
    if (this.#depth <= 0) this.#keep(chunk.subarray(start));
  }

  #keep(part: Uint8Array): void {
    if (this.#kept.length + part.length > KEPT_BYTES) {
      throw new UnreadableSource(`more than ${KEPT_BYTES} bytes are outside of arrays`);
    }
    this.#kept.add(part);
  }
}
