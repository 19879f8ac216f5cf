/** The terms of a segment as a vocabulary numbers them. */
import { findTerm, type Key, keyOfBytes } from "./dictionary.ts";
import type { Sections } from "./layout.ts";

/** Finds the terms of segments in another numbering: a model's, a question's. */
export interface Vocabulary {
  /** The number of a term, below 65,534, or -1. */
  row(key: Key): number;
  /** All terms by their numbers, where they are few: segments then look for them alone. */
  readonly keys?: readonly Key[];
}

/** The row of a term, or -1. */
export type RowOf = (term: number) => number;

/** Remembers the last large vocabulary, and the terms of the last small one. */
export class TermRows {
  readonly #parts: Sections;
  #large: { vocabulary: Vocabulary; rows: Uint16Array } | null = null;
  #small: { vocabulary: Vocabulary; terms: readonly number[] } | null = null;

  constructor(parts: Sections) {
    this.#parts = parts;
  }

  get memory(): number {
    return this.#large?.rows.byteLength ?? 0;
  }

  /** Looked for when they are first met: documents share most of their terms. */
  of(vocabulary: Vocabulary): RowOf {
    const { termBytes, termStarts } = this.#parts;
    if (this.#large?.vocabulary !== vocabulary) {
      this.#large = { vocabulary, rows: new Uint16Array(termStarts.length - 1) };
    }
    const { rows } = this.#large;
    return (term) => {
      // Not looked for: 0; else the row and 2.
      if (rows[term] === 0) {
        const key = keyOfBytes(termBytes, termStarts[term]!, termStarts[term + 1]!);
        rows[term] = vocabulary.row(key) + 2;
      }
      return rows[term]! - 2;
    };
  }

  /** The terms of a small vocabulary by their rows, -1 where there is none; nothing of a large one. */
  few(vocabulary: Vocabulary): readonly number[] | undefined {
    const { keys } = vocabulary;
    if (keys === undefined) return undefined;
    if (this.#small?.vocabulary !== vocabulary) {
      this.#small = { vocabulary, terms: keys.map((key) => findTerm(this.#parts, key)) };
    }
    return this.#small.terms;
  }
}
