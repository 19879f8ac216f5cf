/** A memory of vectors: 8 bits a coordinate, the upper four and the lower four apart. */
import { createKernel, type Kernel, LANES, nibbleOf, PAGES_MAX } from "./kernel.ts";
import type { Quantized } from "./quantized.ts";
import { rotate } from "./rotation.ts";

/** Memory grows by so many vectors at a time, which lie together. */
export const BLOCK = 16_384;
const PAGE_BYTES = 65_536;

/** A query as vectors are multiplied with it. */
export interface Asked {
  /** Filled up with 0 to whole LANES. */
  coordinates: Int16Array;
  /** Of the coordinates. */
  sum: number;
  /** Times this, coordinates are of length 1. */
  scale: number;
}

export class VectorMemory {
  readonly dimensions: number;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  /** Coordinates of a vector, those that fill it up included. */
  readonly #width: number;
  readonly #nibbles: readonly { byte: number; shift: number }[];
  /** Where scores are written, the blocks behind them; the query comes first. */
  readonly #out: number;
  /** All of it; anew when it has grown. */
  #bytes: Uint8Array;
  #factors: Float32Array;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#width = LANES * Math.ceil(dimensions / LANES);
    this.#nibbles = Array.from({ length: dimensions }, (_, n) => nibbleOf(n));
    this.#out = PAGE_BYTES * Math.ceil(2 * this.#width / PAGE_BYTES);
    const initial = (this.#out + 4 * BLOCK) / PAGE_BYTES;
    this.#memory = new WebAssembly.Memory({ initial, maximum: PAGES_MAX, shared: true });
    this.#kernel = createKernel(this.#memory);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#factors = new Float32Array(this.#memory.buffer);
  }

  get byteLength(): number {
    return this.#memory.buffer.byteLength;
  }

  /** @throws RangeError where the 4 GiB that a memory can hold are full */
  grow(): void {
    this.#memory.grow(BLOCK * (4 + this.#width) / PAGE_BYTES);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#factors = new Float32Array(this.#memory.buffer);
  }

  /** @throws Error where the vector has other dimensions */
  write(slot: number, { coordinates, scale }: Quantized): void {
    if (coordinates.length !== this.dimensions) throw new Error("a vector of other dimensions");
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

  /** Nothing is found in a slot until it is written again. */
  clear(slot: number): void {
    this.#factors[this.#placeOf(slot).factor / 4] = NaN;
  }

  /**
   * Scores by the upper halves, from 1 to 65,535, the nearer the higher; 0 where a slot is clear.
   *
   * @param from the first slot of a block @param count up to all of the block
   * @returns a view that the next call overwrites
   */
  estimate({ coordinates, sum, scale }: Asked, from: number, count: number): Uint16Array {
    const { buffer } = this.#memory;
    new Int16Array(buffer, 0, this.#width).set(coordinates);
    const { factor, upper } = this.#placeOf(from);
    const offset = Math.round((ZERO - MEAN_LOWER) / 16 * sum);
    const step = 16 * scale * STEPS;
    this.#kernel.score(upper, factor, this.#out, count, this.#width, 0, offset, step);
    return new Uint16Array(buffer, this.#out, count);
  }

  /** The cosine, by all bits. */
  score({ coordinates, sum, scale }: Asked, slot: number): number {
    const { factor, upper, lower } = this.#placeOf(slot);
    const bytes = this.#bytes;
    let product = -ZERO * sum;
    // As nibbleOf has it: two bytes hold four coordinates that stand eight apart.
    for (let at = 0; at < this.#width / 2; at += 2) {
      const first = 2 * at - (at % (LANES / 2)) * 3 / 2;
      const [upperA, upperB] = [bytes[upper + at]!, bytes[upper + at + 1]!];
      const [lowerA, lowerB] = [bytes[lower + at]!, bytes[lower + at + 1]!];
      product += coordinates[first]! * ((upperA & 15) << 4 | lowerA & 15) +
        coordinates[first + 8]! * (upperA & 240 | lowerA >>> 4) +
        coordinates[first + 16]! * ((upperB & 15) << 4 | lowerB & 15) +
        coordinates[first + 24]! * (upperB & 240 | lowerB >>> 4);
    }
    return product * scale * this.#factors[factor / 4]!;
  }

  #placeOf(slot: number): { factor: number; upper: number; lower: number } {
    const factors = this.#out + 4 * BLOCK + Math.floor(slot / BLOCK) * BLOCK * (4 + this.#width);
    const place = slot % BLOCK;
    const half = this.#width / 2;
    const upper = factors + 4 * BLOCK + place * half;
    return { factor: factors + 4 * place, upper, lower: upper + BLOCK * half };
  }
}

/** What stands for 0 in 8 bits without a sign. */
const ZERO = 128;
/** Of four bits that are not looked at. */
const MEAN_LOWER = 7.5;
/** A cosine of 1 in scores. */
const STEPS = 30_000;

const COORDINATE_MAX = 32_000;
/** 15 * 16 times the coordinates, and what rounding adds, stay within 31 bits. */
const SUM_MAX = 2 ** 30 / 240;

/** Nothing where the query has no direction. */
export function askedOf(query: Float32Array): Asked | undefined {
  const turned = rotate(query);
  let [largest, total, squares] = [0, 0, 0];
  for (const value of turned) {
    largest = Math.max(largest, Math.abs(value));
    total += Math.abs(value);
    squares += value * value;
  }
  if (!(squares > 0 && squares < Infinity)) return undefined;
  const factor = Math.min(COORDINATE_MAX / largest, SUM_MAX / total);
  const coordinates = new Int16Array(LANES * Math.ceil(turned.length / LANES));
  turned.forEach((value, n) => coordinates[n] = Math.round(value * factor));
  const sum = coordinates.reduce((added, value) => added + value, 0);
  return { coordinates, sum, scale: 1 / (factor * Math.sqrt(squares)) };
}
