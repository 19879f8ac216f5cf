/**
 * Observations as vectors of their words, for comparing one with the best answers word by word: what
 * a direction of a few dozen numbers blurs. All numbers are whole, so that replicas agree whatever
 * they add up first.
 */
import { K } from "../engine/scoring.ts";
import type { SemanticModel } from "./model.ts";

/** The words of one text as a vector of the length 16,384. */
export interface TermVector {
  /** Rows of a model. */
  rows: Uint16Array;
  weights: Int16Array;
}

const LENGTH = 16_384;

/** Makes the vectors of one text after the other. */
export class TermVectors {
  readonly #rarity: Uint16Array;
  readonly #rows: number[] = [];
  readonly #weights: number[] = [];

  constructor({ parts }: SemanticModel) {
    this.#rarity = parts.rarity;
  }

  /** @param row of the model; @param count weighted occurrences, above 0 */
  add(row: number, count: number): void {
    this.#rows.push(row);
    this.#weights.push(Math.round(256 * this.#rarity[row]! * count / (count + K)));
  }

  /** Returns the vector of what was added. The next text starts anew. */
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

/** Returns the cosine of each vector with the sum of some of them, from 0 to 1. */
export function cosinesWithSum(
  vectors: readonly TermVector[],
  summed: readonly TermVector[],
): number[] {
  const sums = new Map<number, number>();
  for (const { rows, weights } of summed) {
    rows.forEach((row, at) => sums.set(row, (sums.get(row) ?? 0) + weights[at]!));
  }
  const length = LENGTH * Math.sqrt(squaresOf(sums.values()));
  return vectors.map(({ rows, weights }) => {
    let product = 0;
    for (let at = 0; at < rows.length; at++) product += weights[at]! * (sums.get(rows[at]!) ?? 0);
    return length === 0 ? 0 : Math.min(1, product / length);
  });
}

function squaresOf(values: Iterable<number>): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return squares;
}
