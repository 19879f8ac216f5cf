/**
 * Computes sparse vectors of the words of observations. fuse.ts compares each observation with the
 * best hits of a query by these vectors. This is more exact than a comparison of directions
 * (projection.ts). All numbers that are added are integers, so that replicas agree whatever the
 * order of their additions.
 */
import { K } from "../engine/scoring.ts";
import type { SemanticModel } from "./model.ts";

/** The words of one text as a vector. Its Euclidean length is LENGTH. */
export interface TermVector {
  /** Rows of the words in a model. */
  rows: Uint16Array;
  weights: Int16Array;
}

const LENGTH = 16_384;

/** Computes the vectors of texts, one after the other. */
export class TermVectors {
  readonly #rarity: Uint16Array;
  readonly #rows: number[] = [];
  readonly #weights: number[] = [];

  constructor({ parts }: SemanticModel) {
    this.#rarity = parts.rarity;
  }

  /**
   * Adds a word of a text.
   *
   * @param row row of the word in the model
   * @param count weighted occurrences of the word, above 0
   */
  add(row: number, count: number): void {
    this.#rows.push(row);
    this.#weights.push(Math.round(256 * this.#rarity[row]! * count / (count + K)));
  }

  /** Returns the vector of the added words, and starts the next text. */
  finish(): TermVector {
    const scale = LENGTH / (Math.sqrt(squaresOf(this.#weights)) || 1);
    const vector = {
      rows: Uint16Array.from(this.#rows),
      weights: Int16Array.from(this.#weights, (weight) => Math.round(weight * scale)),
    };
    this.#rows.length = this.#weights.length = 0;
    return vector;
  }
}

/** Returns the cosine of each vector with the sum of other vectors, from 0 to 1. */
export function cosinesWithSum(
  vectors: readonly TermVector[],
  summed: readonly TermVector[],
): number[] {
  const sums = new RowSums(summed.reduce((count, { rows }) => count + rows.length, 0));
  for (const { rows, weights } of summed) rows.forEach((row, at) => sums.add(row, weights[at]!));
  const length = LENGTH * Math.sqrt(squaresOf(sums.values));
  return vectors.map(({ rows, weights }) => {
    let product = 0;
    for (let at = 0; at < rows.length; at++) product += weights[at]! * sums.get(rows[at]!);
    return length === 0 ? 0 : Math.min(1, product / length);
  });
}

/**
 * Sums by row, in a hash table. A model has tens of thousands of rows, and a text has words of only
 * a few dozen rows.
 */
class RowSums {
  /** Sum of each slot. */
  readonly values: Float64Array;
  /** Row of each slot plus 1; 0 for a free slot. */
  readonly #rows: Uint32Array;

  constructor(rows: number) {
    const slots = 2 ** Math.ceil(Math.log2(1 + 2 * rows));
    this.values = new Float64Array(slots);
    this.#rows = new Uint32Array(slots);
  }

  add(row: number, weight: number): void {
    const slot = this.#slot(row);
    this.#rows[slot] = row + 1;
    this.values[slot]! += weight;
  }

  get(row: number): number {
    return this.values[this.#slot(row)]!;
  }

  /** Returns the slot of a row, or the free slot for it. */
  #slot(row: number): number {
    const mask = this.#rows.length - 1;
    let slot = Math.imul(row, 0x9e3779b1) >>> 16 & mask;
    while (this.#rows[slot] !== 0 && this.#rows[slot] !== row + 1) slot = (slot + 1) & mask;
    return slot;
  }
}

function squaresOf(values: Iterable<number>): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return squares;
}
