/**
 * Keeps vectors in memory by id, and finds the nearest ones. A search scores all vectors. There are
 * no clusters and no graph, so that the result depends only on the present vectors, and replicas
 * agree.
 */
import { Slices } from "../../slices.ts";
import { quantize, type Quantized } from "./quantized.ts";

/** Number of vectors of a block. A search scores a block in one to two milliseconds. */
const BLOCK_VECTORS = 1_024;

interface Neighbour {
  id: number;
  /** Cosine of the vector and the query. */
  score: number;
}

interface NearVectors {
  /** Nearest vectors, nearest first. */
  nearest: Neighbour[];
  /** Min cosine of a near vector, computed from all vectors, whichever are admitted. */
  floor: number;
  /** Median cosine of all vectors. */
  middle: number;
}

/** An index of vectors with the same dimensions. */
export class VectorIndex {
  /** Coordinates of the vectors by slot, in blocks of BLOCK_VECTORS slots. */
  readonly #blocks: Int8Array[] = [];
  readonly #slots = new Map<number, number>();
  /** Id and scale by slot. A free slot has the scale NaN, and so has its score. */
  readonly #ids: number[] = [];
  readonly #scales: number[] = [];
  readonly #free: number[] = [];

  constructor(readonly dimensions: number) {}

  get size(): number {
    return this.#slots.size;
  }

  /** Number of bytes of the vectors. The ids take about fifty bytes more per vector. */
  get byteLength(): number {
    return this.#blocks.length * BLOCK_VECTORS * this.dimensions;
  }

  /** Adds a vector, in place of one with the same id. @throws Error if it has other dimensions */
  put(id: number, { coordinates, scale }: Quantized): void {
    if (coordinates.length !== this.dimensions) {
      throw new Error("the vector has other dimensions than the index");
    }
    const slot = this.#slots.get(id) ?? this.#free.pop() ?? this.#ids.length;
    const block = this.#blocks[Math.floor(slot / BLOCK_VECTORS)] ??= new Int8Array(
      BLOCK_VECTORS * this.dimensions,
    );
    block.set(coordinates, (slot % BLOCK_VECTORS) * this.dimensions);
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
   * Returns the nearest vectors, nearest first. A search may or may not see changes that are made
   * meanwhile.
   *
   * @param options.admits tells whether a vector may be returned; absent: all may
   * @throws Error if the query has other dimensions
   */
  async search(
    query: Float32Array,
    { limit, admits = () => true }: { limit: number; admits?: (id: number) => boolean },
  ): Promise<NearVectors> {
    const quantized = this.#quantized(query);
    if (quantized === undefined || limit <= 0) return { nearest: [], floor: 1, middle: 1 };
    const slices = new Slices();
    const cosines: number[] = [];
    const nearest: (Neighbour & { slot: number })[] = [];
    let last = -Infinity;
    for (let slot = 0; slot < this.#ids.length; slot++) {
      if (slot % BLOCK_VECTORS === 0 && slices.isOver) await slices.turn();
      const score = this.#score(quantized, slot);
      if (Number.isNaN(score)) continue;
      cosines.push(score);
      const id = this.#ids[slot]!;
      if (score < last || !admits(id)) continue;
      nearest.push({ id, score, slot });
      if (nearest.length < 2 * limit) continue;
      keepFirst(nearest, limit);
      last = nearest.at(-1)!.score;
    }
    // A vector that was removed meanwhile may be back in another slot.
    const present = nearest.filter(({ id, slot }) => this.#slots.get(id) === slot);
    keepFirst(present, limit);
    return {
      nearest: present.map(({ id, score }) => ({ id, score })),
      ...boundsOf(cosines, this.dimensions),
    };
  }

  /** Returns the cosines of the ids with a vector. @throws Error if the dimensions differ */
  scores(query: Float32Array, ids: Iterable<number>): Map<number, number> {
    const quantized = this.#quantized(query);
    const scores = new Map<number, number>();
    if (quantized === undefined) return scores;
    for (const id of ids) {
      const slot = this.#slots.get(id);
      if (slot !== undefined) scores.set(id, this.#score(quantized, slot));
    }
    return scores;
  }

  /** Quantizes a query; undefined if it has no direction. */
  #quantized(query: Float32Array): Quantized | undefined {
    if (query.length === this.dimensions) return quantize(query);
    throw new Error("the query has other dimensions than the index");
  }

  /** Returns the cosine of a query and the vector in a slot; NaN for a free slot. */
  #score({ coordinates, scale }: Quantized, slot: number): number {
    const block = this.#blocks[Math.floor(slot / BLOCK_VECTORS)]!;
    const start = (slot % BLOCK_VECTORS) * this.dimensions;
    let product = 0;
    for (let n = 0; n < coordinates.length; n++) product += coordinates[n]! * block[start + n]!;
    return product * scale * this.#scales[slot]!;
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

/**
 * Returns the min cosine of a near vector, and the median of the cosines of all vectors. A near one is
 * at least a third of the way from the median to 1. It is also at least √(2 ln 10n) standard
 * deviations above the median. The highest of n values of a normal distribution exceeds that in about
 * one of a hundred cases. The deviation is measured above the median, because cosines are skewed. It
 * is a quantile, so a few relevant vectors do not increase it. It is at least the deviation of evenly
 * spread directions, because a few vectors are a poor sample.
 */
function boundsOf(cosines: readonly number[], dimensions: number) {
  if (cosines.length === 0) return { floor: 1, middle: 1 };
  const sorted = Float32Array.from(cosines).sort();
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  const middle = quantile(0.5);
  const above = quantile(ONE_DEVIATION) - middle;
  const deviation = Math.max(above, (1 - middle) / Math.sqrt(dimensions));
  const chance = Math.sqrt(2 * Math.log(10 * sorted.length)) * deviation;
  return { floor: middle + Math.max(NEAR_SHARE * (1 - middle), chance), middle };
}
