/** Generates vectors that resemble those of embedding models, and harder ones. */
import { Random } from "./random.ts";

export const DIMENSIONS = 384;

/**
 * Distribution of vectors.
 *
 * - `clustered`: topics of different sizes. Coordinates have different weights, some far larger.
 *   All vectors share a direction, so any two have a cosine of about 0.25.
 * - `leaning`: the same with a heavier shared direction. Any two have a cosine of about 0.75.
 * - `even`: no structure, which is the hardest distribution.
 */
export type Shape = "clustered" | "leaning" | "even";

const TOPICS = 2_000;
const SEED = 7;

/** Generator of vectors, which are the same in every run. */
export class Vectors {
  readonly #shape: Shape;
  readonly #random = new Random(SEED);
  readonly #topics: Float32Array;
  readonly #shared: Float32Array;
  readonly #weights: Float32Array;

  constructor(shape: Shape) {
    this.#shape = shape;
    this.#topics = this.#gaussians(TOPICS * DIMENSIONS);
    this.#shared = this.#gaussians(DIMENSIONS);
    this.#weights = Float32Array.from(
      { length: DIMENSIONS },
      (_, n) => (n + 1) ** -0.2 * (n % 97 === 0 ? 3 : 1),
    );
  }

  /** Generates a vector of length 1, and writes it to the array. */
  write(to: Float32Array): void {
    const topic = Math.floor(this.#random.next() * this.#random.next() * TOPICS) * DIMENSIONS;
    const lean = this.#shape === "leaning" ? 0.8 : 0.26;
    let squares = 0;
    for (let n = 0; n < DIMENSIONS; n++) {
      const noise = this.#gaussian();
      const value = this.#shape === "even" ? noise : lean * this.#shared[n]! +
        (0.6 * this.#topics[topic + n]! + 0.8 * noise) * this.#weights[n]!;
      to[n] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    for (let n = 0; n < DIMENSIONS; n++) to[n]! /= length;
  }

  #gaussians(length: number): Float32Array {
    return Float32Array.from({ length }, () => this.#gaussian());
  }

  /** Returns an almost normal random number of variance 1: the sum of four uniform ones. */
  #gaussian(): number {
    const random = this.#random;
    return (random.next() + random.next() + random.next() + random.next() - 2) * Math.sqrt(3);
  }
}
