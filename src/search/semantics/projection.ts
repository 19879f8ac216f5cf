/** Documents and queries as directions of a model: which way their words point together. */
import type { Key } from "../engine/dictionary.ts";
import { K } from "../engine/fields.ts";
import { DIMENSIONS, type SemanticModel } from "./model.ts";

/** A direction: its largest coordinate is 127 or -127; all are 0 where no word is known. */
export interface Direction {
  coordinates: Int8Array;
  length: number;
}

/** What a repetition adds, in 1/64. */
const SATURATION_SCALE = 64;

/**
 * Adds up the words of one text after the other. The sums are whole numbers below 2^53, so that the
 * order in which words come does not show.
 */
export class Projection {
  readonly #rarity: Uint16Array;
  readonly #coordinates: Int16Array;
  readonly #sums = new Float64Array(DIMENSIONS);

  constructor({ parts }: SemanticModel) {
    this.#rarity = parts.rarity;
    this.#coordinates = parts.coordinates;
  }

  /** @param row of the model; @param count weighted occurrences, above 0 */
  readonly add = (row: number, count: number): void => {
    const coordinates = this.#coordinates;
    const sums = this.#sums;
    const counted = Math.round(SATURATION_SCALE * (K + 1) * count / (count + K));
    const weight = this.#rarity[row]! * counted;
    const from = row * DIMENSIONS;
    for (let n = 0; n < DIMENSIONS; n++) sums[n]! += weight * coordinates[from + n]!;
  };

  /** The direction of what was added; the next text starts anew. */
  finish(): Direction {
    const sums = this.#sums;
    let largest = 0;
    for (let n = 0; n < DIMENSIONS; n++) largest = Math.max(largest, Math.abs(sums[n]!));
    const coordinates = new Int8Array(DIMENSIONS);
    let squares = 0;
    for (let n = 0; n < DIMENSIONS && largest > 0; n++) {
      const coordinate = Math.round(127 * sums[n]! / largest);
      coordinates[n] = coordinate;
      squares += coordinate * coordinate;
    }
    sums.fill(0);
    return { coordinates, length: Math.sqrt(squares) };
  }
}

/** The direction of the terms of a query, each once. */
export function projectTerms(model: SemanticModel, keys: readonly Key[]): Direction {
  const projection = new Projection(model);
  for (const key of keys) {
    const row = model.row(key);
    if (row >= 0) projection.add(row, 1);
  }
  return projection.finish();
}

/** 1 for the same direction, 0 for what has nothing to do with it, or is not known. */
export function cosine(wanted: Float64Array, { coordinates, length }: Direction): number {
  if (length === 0) return 0;
  let sum = 0;
  for (let n = 0; n < DIMENSIONS; n++) sum += wanted[n]! * coordinates[n]!;
  return Math.max(0, sum / length);
}
