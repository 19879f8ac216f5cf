/** The terms of a segment as a vocabulary numbers them. */
import { findTerm, type Key, keyOfTerm } from "./dictionary.ts";
import type { Sections } from "./layout.ts";

/** Finds the terms of segments in another numbering: a model's, a question's. */
export interface Vocabulary {
  /** The number of a term, below 65,534, or -1. */
  row(key: Key): number;
}

/** Few terms, for which segments look one by one. */
export interface SmallVocabulary extends Vocabulary {
  /** All terms by their numbers. */
  readonly keys: readonly Key[];
}

/** Tells whether a document holds the term of a row. */
export type HoldsRow = (row: number) => boolean;

/** The row of a term, or -1. */
export type RowOf = (term: number) => number;

/** Remembers the last large vocabulary, and the terms of the last small one. */
export class TermRows {
  readonly #parts: Sections;
  #large: { vocabulary: Vocabulary; rows: Uint16Array } | null = null;
  #small: { vocabulary: SmallVocabulary; terms: readonly number[] } | null = null;

  constructor(parts: Sections) {
    this.#parts = parts;
  }

  get memory(): number {
    return this.#large?.rows.byteLength ?? 0;
  }

  /** Looked for when they are first met: documents share most of their terms. */
  of(vocabulary: Vocabulary): RowOf {
    const parts = this.#parts;
    if (this.#large?.vocabulary !== vocabulary) {
      this.#large = { vocabulary, rows: new Uint16Array(parts.termOffsets.length - 1) };
    }
    const { rows } = this.#large;
    return (term) => {
      // Not looked for: 0; else the row and 2.
      if (rows[term] === 0) {
        const key = keyOfTerm(parts, term);
        rows[term] = vocabulary.row(key) + 2;
      }
      return rows[term]! - 2;
    };
  }

  /** Returns the terms of a small vocabulary by their rows, -1 where the segment has none. */
  few(vocabulary: SmallVocabulary): readonly number[] {
    const { keys } = vocabulary;
    if (this.#small?.vocabulary !== vocabulary) {
      this.#small = { vocabulary, terms: keys.map((key) => findTerm(this.#parts, key)) };
    }
    return this.#small.terms;
  }
}
