/**
 * Stores vectors with 8 bits per coordinate. The upper and the lower four bits are stored
 * separately, because the first pass of a search reads only the upper ones.
 */
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

/** Number of vectors per block. Memory grows by one block at a time. */
export const BLOCK = 16_384;
const PAGE_BYTES = 65_536;

/** A query, prepared for multiplying it with vectors. */
export interface PreparedQuery {
  /** Directions for estimates (rough) and for scores (fine). */
  rough: Direction<Int8Array>;
  fine: Direction<Int16Array>;
}

/** A direction with integer coordinates. */
interface Direction<Coordinates> {
  /** Coordinates, padded with 0 to a multiple of LANES. */
  coordinates: Coordinates;
  /** Sum of the coordinates. */
  sum: number;
  /** Factor that gives the coordinates a length of 1. */
  scale: number;
}

/** A WebAssembly memory of vectors by slot, with a kernel that scores them. */
export class VectorMemory {
  readonly dimensions: number;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  /** Number of coordinates per vector, including the padding. */
  readonly #width: number;
  readonly #nibbles: readonly { byte: number; shift: number }[];
  /**
   * Address at which estimates are written. The query is before it, and the blocks are after it.
   */
  readonly #out: number;
  /** Query that is at the beginning of the memory. */
  #query: PreparedQuery | undefined;
  /** Views of the whole memory, which are replaced when the memory grows. */
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

  /** Adds a block of slots. @throws RangeError if the memory would exceed 4 GiB */
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

  /** Clears a slot. Searches ignore it until it is written again. */
  clear(slot: number): void {
    this.#factors[this.#placeOf(slot).factor / 4] = NaN;
  }

  /**
   * Estimates the scores of slots by the upper halves of their coordinates. Estimates are from 1 to
   * 65,535, and higher for nearer vectors. The estimate of a clear slot is 0.
   *
   * @param from first slot of a block
   * @param count number of slots, up to the whole block
   * @returns a view that the next call overwrites
   */
  estimate(query: PreparedQuery, from: number, count: number): Uint16Array {
    this.#copyQuery(query);
    const { sum, scale } = query.rough;
    const { factor, upper } = this.#placeOf(from);
    const offset = Math.round((ZERO - MEAN_LOWER) / 16 * sum);
    const step = 16 * scale * STEPS;
    this.#kernel.score(upper, factor, this.#out, count, ROUGH_AT, offset, step);
    return new Uint16Array(this.#memory.buffer, this.#out, count);
  }

  /** Returns the cosine of a vector and the query, by all bits; NaN if the slot is clear. */
  score(query: PreparedQuery, slot: number): number {
    this.#copyQuery(query);
    const { sum, scale } = query.fine;
    const { factor, upper, lower } = this.#placeOf(slot);
    const product = this.#kernel.product(upper, lower, this.#width) - ZERO * sum;
    return product * scale * this.#factors[factor / 4]!;
  }

  /** Copies a query into the memory: the rough coordinates, then the fine ones. */
  #copyQuery(query: PreparedQuery): void {
    if (this.#query === query) return;
    const { buffer } = this.#memory;
    new Int8Array(buffer, ROUGH_AT, this.#width).set(query.rough.coordinates);
    new Int16Array(buffer, this.#width, this.#width).set(query.fine.coordinates);
    this.#query = query;
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
/** Expected value of the lower four bits, which `estimate` ignores. */
const MEAN_LOWER = 7.5;
/** Difference between the estimates of the cosines 1 and 0. */
const STEPS = 30_000;

/** Converts an estimate to a cosine. */
export function cosineOf(estimate: number): number {
  return (estimate - MIDDLE) / STEPS;
}

const ROUGH_MAX = 127;
const FINE_MAX = 32_000;
/**
 * Max sum of the absolute fine coordinates. 255 times the sum, including rounding, then fits into
 * 31 bits.
 */
const FINE_SUM_MAX = 2 ** 30 / 255;

/** Prepares a query for scoring; undefined if it has no direction. */
export function prepareQuery(query: Float32Array): PreparedQuery | undefined {
  const rotated = rotate(query);
  const length = Math.hypot(...rotated);
  if (!(length > 0 && length < Infinity)) return undefined;
  let [largest, total] = [0, 0];
  for (const value of rotated) {
    largest = Math.max(largest, Math.abs(value));
    total += Math.abs(value);
  }
  // Rounding adds at most a half to each coordinate.
  const room = SUM_MAX - Math.ceil(rotated.length / SUMS / 2);
  const roughFactor = Math.min(ROUGH_MAX / largest, room / largestSum(rotated));
  const fineFactor = Math.min(FINE_MAX / largest, FINE_SUM_MAX / total);
  const width = LANES * Math.ceil(rotated.length / LANES);
  return {
    rough: directionOf(new Int8Array(width), { rotated, length, factor: roughFactor }),
    fine: directionOf(new Int16Array(width), { rotated, length, factor: fineFactor }),
  };
}

/**
 * Returns the largest total of the coordinates that share a sum of the kernel. Negative coordinates
 * and the others are totalled separately.
 */
function largestSum(rotated: Float64Array): number {
  const sums = new Float64Array(2 * SUMS);
  rotated.forEach((value, n) => sums[2 * sumOf(n) + (value < 0 ? 1 : 0)]! += Math.abs(value));
  return Math.max(...sums);
}

function directionOf<Coordinates extends Int8Array | Int16Array>(
  coordinates: Coordinates,
  { rotated, length, factor }: { rotated: Float64Array; length: number; factor: number },
): Direction<Coordinates> {
  rotated.forEach((value, n) => coordinates[n] = Math.round(value * factor));
  let sum = 0;
  for (const value of coordinates) sum += value;
  return { coordinates, sum, scale: 1 / (factor * length) };
}
