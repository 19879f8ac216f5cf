/**
 * Finds similar words in the learned table, which learn.py makes. The table lists, for each frequent
 * word and phrase of English and French, those with the nearest vectors.
 */
import type { Language } from "./language.ts";
import { fold } from "./stems.ts";
import { keyOf } from "./terms.ts";

/** A word or phrase of the learned table. */
export interface LearnedText {
  text: string;
  languages: readonly Language[];
}

/** A word or phrase whose meaning is near. */
export interface LearnedNeighbour extends LearnedText {
  /** Cosine of the two vectors, from COSINE_MIN to 1. */
  cosine: number;
}

/** A text of the table with its neighbours. */
export interface LearnedEntry extends LearnedText {
  neighbours: readonly LearnedNeighbour[];
}

/** Cosine that the table stores as 0. 255 means 1 (learn.py). */
const COSINE_MIN = 0.72;

/** Number of bytes of the place of a neighbour. */
const PLACE_BYTES = 3;

const LANGUAGES_OF: Readonly<Record<string, readonly Language[]>> = {
  e: ["en"],
  f: ["fr"],
  b: ["en", "fr"],
};

/** The learned table in memory: the bytes of the file, and its texts. */
export class LearnedTable {
  readonly #texts: readonly string[];
  readonly #entries = new Map<number, number>();
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
    this.#texts = new TextDecoder().decode(bytes.subarray(8, textsEnd)).split("\n").slice(0, count);
    this.#enterTexts();
  }

  /** Enters each text, then texts without accents where no other text is written so. */
  #enterTexts(): void {
    this.#texts.forEach((text, entry) => this.#entries.set(keyOf(text.slice(1)), entry));
    this.#texts.forEach((text, entry) => {
      const folded = fold(text.slice(1));
      if (folded === text.slice(1)) return;
      const key = keyOf(folded);
      if (!this.#entries.has(key)) this.#entries.set(key, entry);
    });
  }

  /** Yields all texts of two or more words. */
  *phrases(): Iterable<LearnedText> {
    for (const text of this.#texts) if (text.includes(" ")) yield read(text);
  }

  /**
   * Finds a text, and the texts that mean something similar: the most similar first, without the
   * text itself. An unknown text has no languages and no neighbours.
   *
   * @param text word or phrase in lower case; accents may be missing
   */
  find(text: string): LearnedEntry {
    const entry = this.#entries.get(keyOf(text));
    if (entry === undefined) return { text, languages: [], neighbours: [] };
    const neighbours: LearnedNeighbour[] = [];
    for (let at = this.#starts[entry]!; at < this.#starts[entry + 1]!; at++) {
      const place = PLACE_BYTES * at;
      const [low, middle, high] = this.#places.subarray(place, place + PLACE_BYTES);
      const near = this.#texts[low! + middle! * 0x100 + high! * 0x10000]!;
      const cosine = COSINE_MIN + (1 - COSINE_MIN) * this.#cosines[at]! / 255;
      neighbours.push({ ...read(near), cosine });
    }
    return { ...read(this.#texts[entry]!), neighbours };
  }
}

function read(text: string): LearnedText {
  return { text: text.slice(1), languages: LANGUAGES_OF[text[0]!]! };
}
