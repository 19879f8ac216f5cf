/**
 * Projects documents and queries to directions of a model: weighted sums of the coordinates of
 * their words.
 */
import type { Key } from "../engine/dictionary.ts";
import { K } from "../engine/scoring.ts";
import { DIMENSIONS, type SemanticModel } from "./model.ts";

/**
 * A direction. Its largest coordinate is 127 or -127. All coordinates are 0 if the model contains
 * none of the words.
 */
export interface Direction {
  coordinates: Int8Array;
  /** Euclidean length of the coordinates. */
  length: number;
}

/** Factor by which saturated word counts are multiplied before they are rounded to integers. */
const SATURATION_SCALE = 64;

/**
 * Number of sums that one pass over all words computes. Only about eight sums fit into registers,
 * so one pass for all sums would be slower.
 */
const STEP = 8;

/**
 * Computes the directions of texts, one after the other. Sums are integers below 2^53, so that the
 * order of the words does not matter.
 */
export class Projection {
  readonly #rarity: Uint16Array;
  readonly #coordinates: Int16Array;
  readonly #sums = new Float64Array(DIMENSIONS);
  /** Start of each added word's coordinates, and its weight. */
  readonly #starts: number[] = [];
  readonly #weights: number[] = [];

  constructor({ parts }: SemanticModel) {
    this.#rarity = parts.rarity;
    this.#coordinates = parts.coordinates;
  }

  /**
   * Adds a word of a text.
   *
   * @param row row of the word in the model
   * @param count weighted occurrences of the word, above 0
   */
  readonly add = (row: number, count: number): void => {
    const counted = Math.round(SATURATION_SCALE * (K + 1) * count / (count + K));
    this.#starts.push(row * DIMENSIONS);
    this.#weights.push(this.#rarity[row]! * counted);
  };

  /** Returns the direction of the added words, and starts the next text. */
  finish(): Direction {
    for (let from = 0; from < DIMENSIONS; from += STEP) this.#addUp(from);
    this.#starts.length = this.#weights.length = 0;
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
    return { coordinates, length: Math.sqrt(squares) };
  }

  /** Computes the STEP sums that begin at an index. */
  #addUp(from: number): void {
    const coordinates = this.#coordinates;
    const starts = this.#starts;
    const weights = this.#weights;
    const sums = this.#sums;
    let a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    for (let word = 0; word < starts.length; word++) {
      const at = starts[word]! + from;
      const weight = weights[word]!;
      a += weight * coordinates[at]!;
      b += weight * coordinates[at + 1]!;
      c += weight * coordinates[at + 2]!;
      d += weight * coordinates[at + 3]!;
      e += weight * coordinates[at + 4]!;
      f += weight * coordinates[at + 5]!;
      g += weight * coordinates[at + 6]!;
      h += weight * coordinates[at + 7]!;
    }
    sums[from] = a;
    sums[from + 1] = b;
    sums[from + 2] = c;
    sums[from + 3] = d;
    sums[from + 4] = e;
    sums[from + 5] = f;
    sums[from + 6] = g;
    sums[from + 7] = h;
  }
}

/** Returns the direction of the terms of a query, each counted once. */
export function projectTerms(model: SemanticModel, keys: readonly Key[]): Direction {
  const projection = new Projection(model);
  for (const key of keys) {
    const row = model.row(key);
    if (row >= 0) projection.add(row, 1);
  }
  return projection.finish();
}

/**
 * Returns the cosine of two directions, or 0 if it is negative. It is also 0 if the second
 * direction has no known word.
 *
 * @param wanted direction of length 1
 */
export function cosine(wanted: Float64Array, { coordinates, length }: Direction): number {
  if (length === 0) return 0;
  let sum = 0;
  for (let n = 0; n < DIMENSIONS; n++) sum += wanted[n]! * coordinates[n]!;
  return Math.max(0, sum / length);
}
