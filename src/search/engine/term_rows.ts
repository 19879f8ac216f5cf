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
type RowOf = (term: number) => number;

/** Remembers the last large vocabulary, and the last small one. */
export class TermRows {
  readonly #parts: Sections;
  #large: { vocabulary: Vocabulary; rows: Uint16Array } | null = null;
  #small: { vocabulary: Vocabulary; rows: Map<number, number> } | null = null;

  constructor(parts: Sections) {
    this.#parts = parts;
  }

  get memory(): number {
    return this.#large?.rows.byteLength ?? 0;
  }

  of(vocabulary: Vocabulary): RowOf {
    const { keys } = vocabulary;
    return keys === undefined ? this.#ofLarge(vocabulary) : this.#ofSmall(vocabulary, keys);
  }

  /** Looked for when they are first met: documents share most of their terms. */
  #ofLarge(vocabulary: Vocabulary): RowOf {
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

  #ofSmall(vocabulary: Vocabulary, keys: readonly Key[]): RowOf {
    if (this.#small?.vocabulary !== vocabulary) {
      const rows = new Map(keys.map((key, row) => [findTerm(this.#parts, key), row]));
      this.#small = { vocabulary, rows };
    }
    const { rows } = this.#small;
    return (term) => rows.get(term) ?? -1;
  }
}
