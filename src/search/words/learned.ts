/**
 * Finds similar words in the learned table, which learn.py makes. The table contains a vector of
 * each frequent word and phrase of English and French.
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
  /** Cosine of the two vectors. */
  cosine: number;
}

/** A text of the table with its neighbours. */
export interface LearnedEntry extends LearnedText {
  neighbours: readonly LearnedNeighbour[];
}

/** Number of components of a vector (DIMENSIONS of learn.py). */
const DIMENSIONS = 128;

/** Number of 32-bit words that hold the signs of a vector. */
const SIGN_WORDS = DIMENSIONS / 32;

/**
 * Min cosine of a neighbour. With .66 to .74 the order of 165 unseen questions was equally good,
 * with .80 it was worse (a search by BM25 with this table, compared when the table was designed).
 */
const COSINE_MIN = 0.72;

/** Max number of neighbours of a text, as in the same comparison. */
const NEIGHBOURS_MAX = 25;

const LANGUAGES_OF: Readonly<Record<string, readonly Language[]>> = {
  e: ["en"],
  f: ["fr"],
  b: ["en", "fr"],
};

/**
 * Max number of differing signs of two vectors that are compared exactly. For 150 words of the
 * table, 32 keeps 97.5 % of the neighbours and compares 5,300 of 92,000 texts; 34 would keep 98.9 %
 * and compare 8,000.
 */
const DIFFERING_SIGNS_MAX = 32;

/** Max number of differing signs in the first half. */
const DIFFERING_HALF_MAX = 20;

/**
 * Factors 1 and -1 in an irregular order. With the Hadamard transform after them, they rotate a
 * vector so that all components weigh alike. Without it, the first principal components would decide
 * the cosine, but each of the others would have a sign that counts as much.
 */
const FLIPS = Int8Array.from(
  { length: DIMENSIONS },
  (_, at) => Math.imul(at + 1, 0x9e3779b1) & 0x8000 ? 1 : -1,
);

/** Places of the vector that is being rotated, and of its signs. */
const ROTATED = new Float32Array(DIMENSIONS);
const SIGNS = new Uint32Array(SIGN_WORDS);

/** Applies the fast Hadamard transform to a vector, without scaling. */
function rotate(vector: Float32Array): void {
  for (let half = 1; half < DIMENSIONS; half *= 2) {
    for (let at = 0; at < DIMENSIONS; at++) {
      if (at & half) continue;
      const left = vector[at]!;
      const right = vector[at + half]!;
      vector[at] = left + right;
      vector[at + half] = left - right;
    }
  }
}

/** The learned table in memory: the bytes of the file, 2 MB of signs and norms, and the texts. */
export class LearnedTable {
  readonly #texts: readonly string[];
  readonly #entries = new Map<number, number>();
  readonly #vectors: Int8Array;
  readonly #norms: Float32Array;
  readonly #signs: Uint32Array;

  /** @param bytes content of a file that learn.py has written */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const count = view.getUint32(0, true);
    const textsEnd = 8 + view.getUint32(4, true);
    if (bytes.byteLength !== textsEnd + count * DIMENSIONS) {
      throw new Error("the learned table is incomplete");
    }
    this.#texts = new TextDecoder().decode(bytes.subarray(8, textsEnd)).split("\n").slice(0, count);
    this.#vectors = new Int8Array(bytes.buffer, bytes.byteOffset + textsEnd, count * DIMENSIONS);
    this.#norms = new Float32Array(count);
    this.#signs = new Uint32Array(count * SIGN_WORDS);
    for (let entry = 0; entry < count; entry++) this.#summarize(entry);
    this.#enterTexts();
  }

  /** Computes the norm of a vector, and the signs of its rotation. */
  #summarize(entry: number): void {
    const vector = this.#vectors.subarray(entry * DIMENSIONS, (entry + 1) * DIMENSIONS);
    this.#norms[entry] = normOf(vector);
    this.#signs.set(signsOf(vector), entry * SIGN_WORDS);
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
    const neighbours = this.#seek(this.#vectorOf(entry))
      .filter((neighbour) => neighbour.text !== this.#texts[entry]!.slice(1));
    return { ...read(this.#texts[entry]!), neighbours };
  }

  #vectorOf(entry: number): Int8Array {
    return this.#vectors.subarray(entry * DIMENSIONS, (entry + 1) * DIMENSIONS);
  }

  #seek(vector: Int8Array): LearnedNeighbour[] {
    const signs = this.#signs;
    const [first, second, third, fourth] = signsOf(vector) as unknown as number[];
    const norm = normOf(vector);
    const neighbours: LearnedNeighbour[] = [];
    for (let other = 0, from = 0; other < this.#texts.length; other++, from += SIGN_WORDS) {
      // Most texts differ so much in the first half that the second need not be read.
      let differing = bitsOf(signs[from]! ^ first!) + bitsOf(signs[from + 1]! ^ second!);
      if (differing > DIFFERING_HALF_MAX) continue;
      differing += bitsOf(signs[from + 2]! ^ third!) + bitsOf(signs[from + 3]! ^ fourth!);
      if (differing > DIFFERING_SIGNS_MAX) continue;
      const cosine = this.#cosine(vector, other) / norm;
      if (cosine >= COSINE_MIN) neighbours.push({ ...read(this.#texts[other]!), cosine });
    }
    return neighbours.sort((a, b) => b.cosine - a.cosine).slice(0, NEIGHBOURS_MAX);
  }

  /** Returns the cosine with an entry, times the norm of the vector. */
  #cosine(vector: Int8Array, entry: number): number {
    const vectors = this.#vectors;
    const from = entry * DIMENSIONS;
    let product = 0;
    for (let at = 0; at < DIMENSIONS; at++) product += vector[at]! * vectors[from + at]!;
    return product / this.#norms[entry]!;
  }
}

function normOf(vector: Int8Array): number {
  let squares = 0;
  for (let at = 0; at < DIMENSIONS; at++) squares += vector[at]! * vector[at]!;
  return Math.sqrt(squares);
}

/** Returns the signs of the rotation of a vector. The result is valid until the next call. */
function signsOf(vector: Int8Array): Uint32Array {
  for (let at = 0; at < DIMENSIONS; at++) ROTATED[at] = FLIPS[at]! * vector[at]!;
  rotate(ROTATED);
  SIGNS.fill(0);
  for (let at = 0; at < DIMENSIONS; at++) {
    if (ROTATED[at]! >= 0) SIGNS[at >>> 5]! |= 1 << (at & 31);
  }
  return SIGNS;
}

function read(text: string): LearnedText {
  return { text: text.slice(1), languages: LANGUAGES_OF[text[0]!]! };
}

/** Counts the bits of a 32-bit integer. */
function bitsOf(value: number): number {
  value -= (value >>> 1) & 0x55555555;
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333);
  return Math.imul((value + (value >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
