/** Finds words with near vectors in the learned table, which learn.py makes. */
import { fold, type Language } from "./stems.ts";

/** Cosine that the table stores as 0. 255 means 1 (learn.py). */
export const COSINE_MIN = 0.72;

/** Number of bytes of the place of a neighbour. */
const PLACE_BYTES = 3;

const LANGUAGES_OF: Readonly<Record<string, readonly Language[]>> = {
  e: ["en"],
  f: ["fr"],
  b: ["en", "fr"],
};

/** The learned table in memory. */
export class LearnedTable {
  /** The letter of its languages and the text of each entry. */
  readonly #lines: readonly string[];
  /** Entries by their texts, and by their texts without accents if no other entry has that text. */
  readonly #entries = new Map<string, number>();
  /** Number of the first neighbour of each entry, and of the first one after the last entry. */
  readonly #starts: Uint32Array;
  readonly #cosines: Uint8Array;
  readonly #places: Uint8Array;

  /** @param bytes content of a file that learn.py has written */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const count = view.getUint32(0, true);
    const textsEnd = 8 + view.getUint32(4, true);
    const countsEnd = textsEnd + count;
    this.#starts = new Uint32Array(count + 1);
    for (let entry = 0; entry < count; entry++) {
      this.#starts[entry + 1] = this.#starts[entry]! + bytes[textsEnd + entry]!;
    }
    const neighbours = this.#starts[count]!;
    if (bytes.byteLength !== countsEnd + neighbours * (1 + PLACE_BYTES)) {
      throw new Error("the learned table is incomplete");
    }
    this.#cosines = bytes.subarray(countsEnd, countsEnd + neighbours);
    this.#places = bytes.subarray(countsEnd + neighbours);
    this.#lines = new TextDecoder().decode(bytes.subarray(8, textsEnd)).split("\n").slice(0, count);
    // The first entry of a text is set last, after those of texts without their accents.
    const texts = this.#lines.map((line) => line.slice(1));
    for (const keyOf of [fold, (text: string) => text]) {
      for (let entry = count - 1; entry >= 0; entry--) {
        this.#entries.set(keyOf(texts[entry]!), entry);
      }
    }
  }

  /** Yields all texts of two or more words. */
  *phrases() {
    for (const [entry, line] of this.#lines.entries()) {
      if (line.includes(" ")) yield this.#read(entry);
    }
  }

  /** Returns the place of a text, the more frequent one first; Infinity if it has none. */
  placeOf(text: string): number {
    return this.#entries.get(text) ?? Infinity;
  }

  /**
   * Returns the languages of a text, and the other texts whose meaning is near, the most similar
   * first. Cosines of their vectors are from COSINE_MIN to 1. An unknown text has none of them.
   *
   * @param text word or phrase in lower case; accents may be missing
   */
  find(text: string) {
    const entry = this.#entries.get(text);
    if (entry === undefined) return { languages: [], neighbours: [] };
    const neighbours = [];
    for (let at = this.#starts[entry]!; at < this.#starts[entry + 1]!; at++) {
      const place = PLACE_BYTES * at;
      const [low, middle, high] = this.#places.subarray(place, place + PLACE_BYTES);
      const near = this.#read(low! + middle! * 0x100 + high! * 0x10000);
      const cosine = COSINE_MIN + (1 - COSINE_MIN) * this.#cosines[at]! / 255;
      neighbours.push({ ...near, cosine });
    }
    return { languages: this.#read(entry).languages, neighbours };
  }

  /** Returns the text of an entry, and its languages. */
  #read(entry: number) {
    const line = this.#lines[entry]!;
    return { text: line.slice(1), languages: LANGUAGES_OF[line[0]!]! };
  }
}
