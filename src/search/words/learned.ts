/**
 * Finds similar words in the learned table, which learn.py makes. The table lists, for each frequent
 * word and phrase of English and French, those with the nearest vectors.
 */
import { fold, type Language } from "./stems.ts";
import { keyOf, lowerBound } from "./terms.ts";

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

/**
 * The learned table in memory. Texts are parts of one string, and keys are sorted arrays, because
 * 92,000 strings and entries of a Map took 10 MiB of the heap of each thread that analyzes records.
 */
export class LearnedTable {
  /** The texts, each with the letter of its languages and a line feed. */
  readonly #texts: string;
  /** Start of each entry in #texts, and of the first one after the last entry. */
  readonly #text_starts: Uint32Array;
  /** Entries by the keys of their texts. */
  readonly #written: KeyedEntries;
  /** Entries of texts with accents, by the keys of the texts without them. */
  readonly #folded: KeyedEntries;
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
    const text = new TextDecoder().decode(bytes.subarray(8, textsEnd));
    const text_starts = new Uint32Array(count + 1);
    const written = new Float64Array(count);
    const folded = new Float64Array(count).fill(NaN);
    for (let entry = 0; entry < count; entry++) {
      const end = text.indexOf("\n", text_starts[entry]);
      text_starts[entry + 1] = end + 1;
      const word = text.slice(text_starts[entry]! + 1, end);
      const plain = fold(word);
      written[entry] = keyOf(word);
      if (plain !== word) folded[entry] = keyOf(plain);
    }
    this.#texts = text;
    this.#text_starts = text_starts;
    this.#written = sortedByKey(written);
    this.#folded = sortedByKey(folded);
  }

  /** Yields all texts of two or more words. */
  *phrases(): Iterable<LearnedText> {
    for (let entry = 0; entry < this.#starts.length - 1; entry++) {
      const read = this.#read(entry);
      if (read.text.includes(" ")) yield read;
    }
  }

  /**
   * Returns the place of a text in the table; Infinity if it has none. Of two words of a language, the
   * more frequent one comes first.
   */
  placeOf(text: string): number {
    return entryOf(text, this.#written) ?? entryOf(text, this.#folded) ?? Infinity;
  }

  /**
   * Finds a text, and the texts that mean something similar: the most similar first, without the
   * text itself. An unknown text has no languages and no neighbours.
   *
   * @param text word or phrase in lower case; accents may be missing
   */
  find(text: string): LearnedEntry {
    const entry = entryOf(text, this.#written) ?? entryOf(text, this.#folded);
    if (entry === undefined) return { text, languages: [], neighbours: [] };
    const neighbours: LearnedNeighbour[] = [];
    for (let at = this.#starts[entry]!; at < this.#starts[entry + 1]!; at++) {
      const place = PLACE_BYTES * at;
      const [low, middle, high] = this.#places.subarray(place, place + PLACE_BYTES);
      const near = this.#read(low! + middle! * 0x100 + high! * 0x10000);
      const cosine = COSINE_MIN + (1 - COSINE_MIN) * this.#cosines[at]! / 255;
      neighbours.push({ ...near, cosine });
    }
    return { ...this.#read(entry), neighbours };
  }

  #read(entry: number): LearnedText {
    const start = this.#text_starts[entry]!;
    return {
      text: this.#texts.slice(start + 1, this.#text_starts[entry + 1]! - 1),
      languages: LANGUAGES_OF[this.#texts[start]!]!,
    };
  }
}

/** Keys in ascending order. The first place of each key has its entry. */
interface KeyedEntries {
  keys: Float64Array;
  entries: Uint32Array;
}

/** Sorts entries by their keys; NaN is none. The first place of a key has its first entry. */
function sortedByKey(keyOfEntry: Float64Array): KeyedEntries {
  const keys = keyOfEntry.filter((key) => !Number.isNaN(key)).sort();
  const entries = new Uint32Array(keys.length);
  for (let entry = keyOfEntry.length - 1; entry >= 0; entry--) {
    const key = keyOfEntry[entry]!;
    if (!Number.isNaN(key)) entries[lowerBound(keys, key)] = entry;
  }
  return { keys, entries };
}

function entryOf(text: string, { keys, entries }: KeyedEntries): number | undefined {
  const key = keyOf(text);
  const place = lowerBound(keys, key);
  return keys[place] === key ? entries[place] : undefined;
}
