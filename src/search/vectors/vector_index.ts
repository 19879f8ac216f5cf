/**
 * Keeps vectors in memory by id, and finds the nearest ones. A search scores all vectors. There are
 * no clusters and no graph, so that the result depends only on the present vectors, and replicas
 * agree.
 */
import { Slices } from "../../slices.ts";
import {
  createKernel,
  LANES,
  type Multiply,
  PAGE_BYTES,
  PAGES_MAX,
  PRODUCTS_AT,
  VECTORS_AT_ONCE,
} from "./kernel.ts";
import { quantize, type Quantized } from "./quantized.ts";

interface Neighbour {
  id: number;
  /** Cosine of the vector and the query. */
  score: number;
}

/** An index of vectors with the same dimensions. */
export class VectorIndex {
  /** Bytes per vector, including the padding. */
  readonly #width: number;
  readonly #slots = new Map<number, number>();
  /** Id and scale by slot. A free slot has the scale NaN, and so has its score. */
  readonly #ids: number[] = [];
  readonly #scales: number[] = [];
  readonly #free: number[] = [];

  private constructor(
    readonly dimensions: number,
    private readonly memory: WebAssembly.Memory,
    private readonly multiply: Multiply,
  ) {
    this.#width = LANES * Math.ceil(dimensions / LANES);
  }

  /** Creates an index of vectors with a number of dimensions, up to 8,192. */
  static async create(dimensions: number): Promise<VectorIndex> {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX });
    return new VectorIndex(dimensions, memory, await createKernel(memory));
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Number of bytes of the vectors. The ids take about fifty bytes more per vector. */
  get byteLength(): number {
    return this.memory.buffer.byteLength;
  }

  /**
   * Adds a vector. It replaces an earlier vector with the same id.
   *
   * @throws Error if it has other dimensions
   * @throws RangeError if the memory would exceed 4 GiB
   */
  put(id: number, { coordinates, scale }: Quantized): void {
    if (coordinates.length !== this.dimensions) {
      throw new Error("the vector has other dimensions than the index");
    }
    const slot = this.#slots.get(id) ?? this.#openSlot();
    new Int8Array(this.memory.buffer).set(coordinates, this.#placeOf(slot));
    this.#slots.set(id, slot);
    this.#ids[slot] = id;
    this.#scales[slot] = scale;
  }

  /** Removes a vector. Does nothing if it is absent. */
  remove(id: number): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#slots.delete(id);
    this.#scales[slot] = NaN;
    this.#free.push(slot);
  }

  /**
   * Finds the nearest vectors. A search may or may not see changes that are made meanwhile.
   *
   * @param options.admits tells whether a vector may be returned; absent: all may
   * @returns the nearest vectors, nearest first, with the min cosine of a near vector and the median
   * cosine of all vectors, admitted or not
   * @throws Error if the query has other dimensions
   */
  async search(
    query: Float32Array,
    { limit, admits = () => true }: { limit: number; admits?: (id: number) => boolean },
  ) {
    const quantized = this.#quantized(query);
    if (quantized === undefined || limit <= 0) return { nearest: [], floor: 1, middle: 1 };
    const slices = new Slices();
    const scores = new Scores();
    const nearest: (Neighbour & { slot: number })[] = [];
    let last = -Infinity;
    for (let from = 0; from < this.#ids.length; from += VECTORS_AT_ONCE) {
      if (slices.isOver) await slices.turn();
      const count = Math.min(VECTORS_AT_ONCE, this.#ids.length - from);
      this.#scoreEach(quantized, { from, count }, (score, slot) => {
        scores.add(score);
        const id = this.#ids[slot]!;
        if (score < last || !admits(id)) return;
        nearest.push({ id, score, slot });
        if (nearest.length < 2 * limit) return;
        keepFirst(nearest, limit);
        last = nearest.at(-1)!.score;
      });
    }
    // A vector that was removed meanwhile may be back in another slot.
    const present = nearest.filter(({ id, slot }) => this.#slots.get(id) === slot);
    keepFirst(present, limit);
    return {
      nearest: present.map(({ id, score }) => ({ id, score })),
      floor: scores.floor(this.dimensions),
      middle: scores.middle,
    };
  }

  /** Returns the cosines of the ids with a vector. @throws Error if the dimensions differ */
  scores(query: Float32Array, ids: Iterable<number>): Map<number, number> {
    const quantized = this.#quantized(query);
    const scores = new Map<number, number>();
    if (quantized === undefined) return scores;
    for (const id of ids) {
      const from = this.#slots.get(id);
      if (from === undefined) continue;
      this.#scoreEach(quantized, { from, count: 1 }, (score) => scores.set(id, score));
    }
    return scores;
  }

  /** Quantizes a query; undefined if it has no direction. */
  #quantized(query: Float32Array): Quantized | undefined {
    if (query.length === this.dimensions) return quantize(query);
    throw new Error("the query has other dimensions than the index");
  }

  #openSlot(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const slot = this.#ids.length;
    const missing = this.#placeOf(slot + 1) - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    return slot;
  }

  #placeOf(slot: number): number {
    return PAGE_BYTES + slot * this.#width;
  }

  /** Calls a function with the score of each used slot of consecutive ones. */
  #scoreEach(
    { coordinates, scale }: Quantized,
    { from, count }: { from: number; count: number },
    take: (score: number, slot: number) => void,
  ): void {
    const { buffer } = this.memory;
    new Int16Array(buffer).set(coordinates);
    this.multiply(this.#placeOf(from), this.#placeOf(from + count), this.#width);
    const products = new Int32Array(buffer, PRODUCTS_AT, count);
    for (let n = 0; n < count; n++) {
      const score = products[n]! * scale * this.#scales[from + n]!;
      if (!Number.isNaN(score)) take(score, from + n);
    }
  }
}

/** Sorts neighbours, nearest first and then by id, and keeps the first ones. */
function keepFirst(neighbours: Neighbour[], limit: number): void {
  neighbours.sort((a, b) => b.score - a.score || a.id - b.id);
  neighbours.length = Math.min(neighbours.length, limit);
}

/** Min distance of a near vector's cosine from the median, as a share of the median's from 1. */
const NEAR_SHARE = 1 / 3;

/** Share of a normal distribution that is below the median plus one standard deviation. */
const ONE_DEVIATION = 0.8413;

/** Number of counted steps from the cosine 0 to 1. */
const STEPS = 32_000;

/** Counts of cosines. */
class Scores {
  readonly #counts = new Uint32Array(2 * STEPS + 1);
  #size = 0;

  add(cosine: number): void {
    this.#counts[Math.round((1 + Math.min(1, Math.max(-1, cosine))) * STEPS)]!++;
    this.#size++;
  }

  /**
   * Returns the min cosine of a near vector. It is at least a third of the way from the median
   * cosine to 1. It is also at least √(2 ln 10n) standard deviations above the median. The highest
   * of n values of a normal distribution exceeds that in about one of a hundred cases. The
   * deviation is measured above the median, because cosines are skewed. It is a quantile, so a few
   * relevant vectors do not increase it. It is at least the deviation of evenly spread directions,
   * because a few vectors are a poor sample.
   */
  floor(dimensions: number): number {
    if (this.#size === 0) return 1;
    const { middle } = this;
    const above = this.#quantile(ONE_DEVIATION) - middle;
    const deviation = Math.max(above, (1 - middle) / Math.sqrt(dimensions));
    const chance = Math.sqrt(2 * Math.log(10 * this.#size)) * deviation;
    return middle + Math.max(NEAR_SHARE * (1 - middle), chance);
  }

  /** Median cosine of all vectors; 1 without vectors. */
  get middle(): number {
    return this.#size === 0 ? 1 : this.#quantile(0.5);
  }

  /** Returns the cosine that a share of all vectors does not exceed. */
  #quantile(share: number): number {
    let rank = Math.floor(share * (this.#size - 1));
    let step = 0;
    for (; rank >= this.#counts[step]!; step++) rank -= this.#counts[step]!;
    return step / STEPS - 1;
  }
}
