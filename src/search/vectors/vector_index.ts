/**
 * Keeps vectors in memory by id, and finds the nearest ones. A search estimates the scores of all
 * vectors by half of their bits, and scores the best ones by all bits. This is fast, and misses
 * hardly any near vector. The result depends only on the present vectors, so that replicas agree.
 */
import { Slices } from "../../slices.ts";
import { FirstItems } from "./first_items.ts";
import { Estimates } from "./estimates.ts";
import type { Quantized } from "./quantized.ts";
import { BLOCK, type PreparedQuery, prepareQuery, VectorMemory } from "./vector_memory.ts";

interface Neighbour {
  id: number;
  /** Cosine of the vector and the query. */
  score: number;
}

/** Compares neighbours: nearest first, then by id. */
function compareNeighbours(a: Neighbour, b: Neighbour): number {
  return b.score - a.score || a.id - b.id;
}

interface NearVectors {
  /** Nearest vectors, nearest first. */
  nearest: Neighbour[];
  /**
   * Min cosine by which a vector counts as near. It is computed from all vectors, also those that
   * may not be returned: see estimates.ts.
   */
  floor: number;
  /** Median cosine of all vectors. */
  middle: number;
}

interface VectorSearch {
  /** Max number of neighbours. */
  limit: number;
  /** Tells whether a vector may be returned; absent: all may. */
  admits?: (id: number) => boolean;
}

/** Milliseconds after which the event loop gets a turn, which takes about a millisecond. */
const SLICE_MILLISECONDS = 15;
/** Number of vectors that are scored by all bits between two checks of the time. */
const SLICE_SCORES = 256;

/**
 * Number of candidates that are scored by all bits at first: per result, and as a share of all
 * vectors. The larger number counts.
 */
const CANDIDATES_PER_RESULT = 10;
const CANDIDATES_SHARE = 0.0015;
/**
 * Factor by which each batch of candidates is larger than the one before. There is a next batch
 * while filters have admitted too few candidates. After CANDIDATES_MAX or more candidates, no batch
 * follows, so that a search without results does not score all vectors of a large index.
 */
const CANDIDATES_GROWTH = 4;
const CANDIDATES_MAX = 32_000;

/** An index of vectors with the same dimensions. */
export class VectorIndex {
  readonly #memory: VectorMemory;
  readonly #slots = new Map<number, number>();
  /** Id by slot. A free slot keeps its last id. */
  #ids = new Float64Array(0);
  #used = 0;
  readonly #free: number[] = [];

  constructor(dimensions: number) {
    this.#memory = new VectorMemory(dimensions);
  }

  get dimensions(): number {
    return this.#memory.dimensions;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Number of bytes of the vectors. The ids take about fifty bytes more per vector. */
  get sharedMemory(): number {
    return this.#memory.byteLength;
  }

  /**
   * Adds a vector. It replaces an earlier vector with the same id.
   *
   * @throws Error if it has other dimensions
   * @throws RangeError if the memory would exceed 4 GiB
   */
  put(id: number, vector: Quantized): void {
    if (vector.coordinates.length !== this.dimensions) {
      throw new Error("the vector has other dimensions than the index");
    }
    const slot = this.#slots.get(id) ?? this.#openSlot();
    this.#memory.write(slot, vector);
    this.#slots.set(id, slot);
    this.#ids[slot] = id;
  }

  /** Removes a vector. Does nothing if it is absent. */
  remove(id: number): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#slots.delete(id);
    this.#memory.clear(slot);
    this.#free.push(slot);
  }

  /**
   * Returns the nearest vectors, nearest first. If filters admit few vectors, the result may be
   * incomplete, because the search ends after the batch that reaches CANDIDATES_MAX candidates. A
   * search may or may not see changes that are made meanwhile.
   *
   * @throws Error if the query has other dimensions
   */
  async search(
    query: Float32Array,
    { limit, admits = () => true }: VectorSearch,
  ): Promise<NearVectors> {
    const prepared = this.#prepare(query);
    if (prepared === undefined || limit <= 0) return { nearest: [], floor: 1, middle: 1 };
    const best = new FirstItems<Neighbour>(limit, compareNeighbours);
    const slices = new Slices({ milliseconds: SLICE_MILLISECONDS });
    const estimates = await this.#estimate(prepared, slices);
    const floor = estimates.floor(this.dimensions);
    const wanted = Math.ceil(
      Math.max(limit * CANDIDATES_PER_RESULT, CANDIDATES_SHARE * this.size),
    );
    for (
      let count = wanted;
      !best.isFull && estimates.left > 0 && estimates.returned < CANDIDATES_MAX;
      count *= CANDIDATES_GROWTH
    ) {
      const slots = estimates.next(count);
      for (let from = 0; from < slots.length; from += SLICE_SCORES) {
        if (slices.isOver) await slices.turn();
        for (const neighbour of this.#score(prepared, slots.subarray(from, from + SLICE_SCORES))) {
          if (best.last !== undefined && compareNeighbours(neighbour, best.last) > 0) continue;
          if (admits(neighbour.id)) best.add(neighbour);
        }
      }
    }
    return { nearest: best.list(), floor, middle: estimates.middle };
  }

  /**
   * Returns the cosine of the query and the vector of each id. Ids without a vector are left out.
   *
   * @throws Error if the query has other dimensions
   */
  scores(query: Float32Array, ids: Iterable<number>): Map<number, number> {
    const prepared = this.#prepare(query);
    const scores = new Map<number, number>();
    if (prepared === undefined) return scores;
    for (const id of ids) {
      const slot = this.#slots.get(id);
      if (slot !== undefined) scores.set(id, this.#memory.score(prepared, slot));
    }
    return scores;
  }

  #prepare(query: Float32Array): PreparedQuery | undefined {
    if (query.length !== this.dimensions) {
      throw new Error("the query has other dimensions than the index");
    }
    return prepareQuery(query);
  }

  #openSlot(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#used % BLOCK === 0) {
      this.#memory.grow();
      if (this.#used === this.#ids.length) this.#ids = enlarged(this.#ids);
    }
    return this.#used++;
  }

  async #estimate(prepared: PreparedQuery, slices: Slices): Promise<Estimates> {
    const estimates = new Estimates(this.#used);
    for (let start = 0; start < estimates.length; start += BLOCK) {
      const count = Math.min(BLOCK, estimates.length - start);
      estimates.note(this.#memory.estimate(prepared, start, count), start);
      if (slices.isOver) await slices.turn();
    }
    return estimates;
  }

  #score(prepared: PreparedQuery, slots: Uint32Array): Neighbour[] {
    const scored: Neighbour[] = [];
    for (const slot of slots) {
      const score = this.#memory.score(prepared, slot);
      // A vector that was removed meanwhile has the score NaN. If its slot was reused meanwhile,
      // the new vector is returned with the new id.
      if (!Number.isNaN(score)) scored.push({ id: this.#ids[slot]!, score });
    }
    return scored;
  }
}

/** Enlarges an array by half, so that it is rarely copied. Unused slots cost little. */
function enlarged(ids: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(BLOCK * Math.ceil(1.5 * ids.length / BLOCK + 1));
  larger.set(ids);
  return larger;
}
