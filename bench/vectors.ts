/** Vectors as models make them, and harder ones; the same for the same seed. */
import { Random } from "./random.ts";

export const DIMENSIONS = 384;

/**
 * `clustered`: topics of unlike sizes, coordinates of unlike weight, some far heavier, and a direction
 * that all share (any two have a cosine of some 0.25). `leaning`: the same, but the shared direction
 * outweighs what tells vectors apart (some 0.75). `even`: no structure at all, the hardest.
 */
export type Shape = "clustered" | "leaning" | "even";

const TOPICS = 2_000;
const SEED = 7;

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

  /** Writes a vector of length 1. */
  write(to: Float32Array): void {
    const topic = Math.floor(this.#random.next() * this.#random.next() * TOPICS) * DIMENSIONS;
    const lean = this.#shape === "leaning" ? 0.8 : 0.26;
    let squares = 0;
    for (let n = 0; n < DIMENSIONS; n++) {
      const own = this.#gaussian();
      const value = this.#shape === "even" ? own : lean * this.#shared[n]! +
        (0.6 * this.#topics[topic + n]! + 0.8 * own) * this.#weights[n]!;
      to[n] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    for (let n = 0; n < DIMENSIONS; n++) to[n]! /= length;
  }

  #gaussians(length: number): Float32Array {
    return Float32Array.from({ length }, () => this.#gaussian());
  }

  /** Nearly: the sum of four even numbers, of variance 1. */
  #gaussian(): number {
    const random = this.#random;
    return (random.next() + random.next() + random.next() + random.next() - 2) * Math.sqrt(3);
  }
}
