/** Holds vectors with 8 bits per coordinate. The upper and the lower four bits are stored apart. */
import {
  createKernel,
  type Kernel,
  LANES,
  MIDDLE,
  nibbleOf,
  PAGES_MAX,
  SUM_MAX,
  sumOf,
  SUMS,
} from "./kernel.ts";
import type { Quantized } from "./quantized.ts";
import { rotate } from "./rotation.ts";

/** Number of vectors by which memory grows at a time. They lie together. */
export const BLOCK = 16_384;
const PAGE_BYTES = 65_536;

/** A query as vectors are multiplied with it. */
export interface Asked {
  /** Directions for estimates (rough) and for scores (fine). */
  rough: Direction<Int8Array>;
  fine: Direction<Int16Array>;
}

interface Direction<Coordinates> {
  /** Padded with 0 to whole LANES. */
  coordinates: Coordinates;
  /** Sum of the coordinates. */
  sum: number;
  /** Factor that gives the coordinates a length of 1. */
  scale: number;
}

export class VectorMemory {
  readonly dimensions: number;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  /** Number of coordinates per vector, including the padding. */
  readonly #width: number;
  readonly #nibbles: readonly { byte: number; shift: number }[];
  /** Address at which scores are written. The blocks follow it, and the query comes first. */
  readonly #out: number;
  /** Contents of the memory's first bytes. */
  #query: Asked | undefined;
  /** Views of the whole memory, which are replaced when it grows. */
  #bytes: Uint8Array;
  #factors: Float32Array;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#width = LANES * Math.ceil(dimensions / LANES);
    this.#nibbles = Array.from({ length: dimensions }, (_, n) => nibbleOf(n));
    this.#out = PAGE_BYTES * Math.ceil(3 * this.#width / PAGE_BYTES);
    const initial = (this.#out + 4 * BLOCK) / PAGE_BYTES;
    this.#memory = new WebAssembly.Memory({ initial, maximum: PAGES_MAX, shared: true });
    this.#kernel = createKernel(this.#memory, this.#width);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#factors = new Float32Array(this.#memory.buffer);
  }

  get byteLength(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Adds a block of slots. @throws RangeError if the 4 GiB that a memory can hold are full */
  grow(): void {
    this.#memory.grow(BLOCK * (4 + this.#width) / PAGE_BYTES);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#factors = new Float32Array(this.#memory.buffer);
  }

  /** Writes a vector, which must have the memory's dimensions, into a slot. */
  write(slot: number, { coordinates, scale }: Quantized): void {
    const { factor, upper, lower } = this.#placeOf(slot);
    const bytes = this.#bytes;
    bytes.fill(0, upper, upper + this.#width / 2);
    bytes.fill(0, lower, lower + this.#width / 2);
    for (let n = 0; n < coordinates.length; n++) {
      const value = coordinates[n]! + ZERO;
      const { byte, shift } = this.#nibbles[n]!;
      bytes[upper + byte]! |= (value >>> 4) << shift;
      bytes[lower + byte]! |= (value & 15) << shift;
    }
    this.#factors[factor / 4] = scale;
  }

  /** Clears a slot. Nothing is found in it until it is written again. */
  clear(slot: number): void {
    this.#factors[this.#placeOf(slot).factor / 4] = NaN;
  }

  /**
   * Scores by the upper halves, from 1 to 65,535, the nearer the higher; 0 where a slot is clear.
   *
   * @param from the first slot of a block @param count up to all of the block
   * @returns a view that the next call overwrites
   */
  estimate(asked: Asked, from: number, count: number): Uint16Array {
    this.#ask(asked);
    const { sum, scale } = asked.rough;
    const { factor, upper } = this.#placeOf(from);
    const offset = Math.round((ZERO - MEAN_LOWER) / 16 * sum);
    const step = 16 * scale * STEPS;
    this.#kernel.score(upper, factor, this.#out, count, ROUGH_AT, offset, step);
    return new Uint16Array(this.#memory.buffer, this.#out, count);
  }

  /** Returns the cosine, by all bits. */
  score(asked: Asked, slot: number): number {
    this.#ask(asked);
    const { sum, scale } = asked.fine;
    const { factor, upper, lower } = this.#placeOf(slot);
    const product = this.#kernel.product(upper, lower, this.#width) - ZERO * sum;
    return product * scale * this.#factors[factor / 4]!;
  }

  /** Copies a query into the memory: rough coordinates, and the fine ones behind them. */
  #ask(asked: Asked): void {
    if (this.#query === asked) return;
    const { buffer } = this.#memory;
    new Int8Array(buffer, ROUGH_AT, this.#width).set(asked.rough.coordinates);
    new Int16Array(buffer, this.#width, this.#width).set(asked.fine.coordinates);
    this.#query = asked;
  }

  #placeOf(slot: number): { factor: number; upper: number; lower: number } {
    const factors = this.#out + 4 * BLOCK + Math.floor(slot / BLOCK) * BLOCK * (4 + this.#width);
    const place = slot % BLOCK;
    const half = this.#width / 2;
    const upper = factors + 4 * BLOCK + place * half;
    return { factor: factors + 4 * place, upper, lower: upper + BLOCK * half };
  }
}

const ROUGH_AT = 0;
/** Unsigned byte that stands for 0. */
const ZERO = 128;
/** Expected value of the low nibble, which the coarse pass ignores. */
const MEAN_LOWER = 7.5;
/** Difference between the scores of the cosines 1 and 0. */
const STEPS = 30_000;

/** Returns the cosine of two vectors by the estimate of their bits. */
export function cosineOf(estimate: number): number {
  return (estimate - MIDDLE) / STEPS;
}

const ROUGH_MAX = 127;
const FINE_MAX = 32_000;
/** 255 times the coordinates, and what rounding adds, stay within 31 bits. */
const FINE_SUM_MAX = 2 ** 30 / 255;

/** Prepares a query for scoring; undefined if it has no direction. */
export function askedOf(query: Float32Array): Asked | undefined {
  const turned = rotate(query);
  const length = Math.hypot(...turned);
  if (!(length > 0 && length < Infinity)) return undefined;
  let [largest, total] = [0, 0];
  for (const value of turned) {
    largest = Math.max(largest, Math.abs(value));
    total += Math.abs(value);
  }
  // Rounding adds a half to a coordinate at most.
  const room = SUM_MAX - Math.ceil(turned.length / SUMS / 2);
  const roughFactor = Math.min(ROUGH_MAX / largest, room / largestSum(turned));
  const fineFactor = Math.min(FINE_MAX / largest, FINE_SUM_MAX / total);
  const width = LANES * Math.ceil(turned.length / LANES);
  return {
    rough: directionOf(new Int8Array(width), { turned, length, factor: roughFactor }),
    fine: directionOf(new Int16Array(width), { turned, length, factor: fineFactor }),
  };
}

/**
 * Returns the largest of the sums that the kernel keeps. Negative and other coordinates have
 * separate sums.
 */
function largestSum(turned: Float64Array): number {
  const sums = new Float64Array(2 * SUMS);
  turned.forEach((value, n) => sums[2 * sumOf(n) + (value < 0 ? 1 : 0)]! += Math.abs(value));
  return Math.max(...sums);
}

function directionOf<Coordinates extends Int8Array | Int16Array>(
  coordinates: Coordinates,
  { turned, length, factor }: { turned: Float64Array; length: number; factor: number },
): Direction<Coordinates> {
  turned.forEach((value, n) => coordinates[n] = Math.round(value * factor));
  let sum = 0;
  for (const value of coordinates) sum += value;
  return { coordinates, sum, scale: 1 / (factor * length) };
}
