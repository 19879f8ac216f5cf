/**
 * Vectors in memory by id. A query scores all vectors by half of their bits, and rescores the best
 * by all bits. This is fast enough and loses hardly any. The result depends only on the present
 * vectors, so that replicas agree.
 */
import { Slices } from "../../slices.ts";
import { FirstItems } from "../engine/first_items.ts";
import { Estimates } from "./estimates.ts";
import type { Quantized } from "./quantized.ts";
import { type Asked, askedOf, BLOCK, VectorMemory } from "./vector_memory.ts";

interface Neighbour {
  id: number;
  /** The cosine of the angle between the two. */
  score: number;
}

/** Compares neighbours: nearest first, then by id. */
function compareNeighbours(a: Neighbour, b: Neighbour): number {
  return b.score - a.score || a.id - b.id;
}

interface NearVector {
  /** Nearest first. */
  nearest: Neighbour[];
  /** The cosine from which on a vector is near, admitted or not: see estimates.ts. */
  floor: number;
}

interface VectorSearch {
  /** Max number of neighbours. */
  limit: number;
  /** Tells whether a vector may be returned. Absent: all may. */
  admits?: (id: number) => boolean;
}

/** Milliseconds after which the event loop gets a turn, which takes about a millisecond. */
const SLICE_MILLISECONDS = 15;
/** Number of vectors that all bits score between two looks at the clock. */
const SLICE_SCORES = 256;

/**
 * Number of candidates that all bits score at first: per result, and as a share of all. The larger
 * one counts.
 */
const CANDIDATES_PER_RESULT = 10;
const CANDIDATES_SHARE = 0.0015;
/**
 * Growth of that number while filters reject most candidates. The max keeps a search without
 * results from scoring all vectors.
 */
const CANDIDATES_GROWTH = 4;
const CANDIDATES_MAX = 32_000;

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

  /** Number of bytes of the vectors. The ids take some fifty bytes more per vector. */
  get sharedMemory(): number {
    return this.#memory.byteLength;
  }

  /**
   * Adds a vector, in the place of an earlier one with the same id.
   *
   * @throws Error if it has other dimensions
   * @throws RangeError if the 4 GiB that a memory can hold are full
   */
  put(id: number, vector: Quantized): void {
    if (vector.coordinates.length !== this.dimensions) {
      throw new Error("a vector of other dimensions");
    }
    const slot = this.#slots.get(id) ?? this.#openSlot();
    this.#memory.write(slot, vector);
    this.#slots.set(id, slot);
    this.#ids[slot] = id;
  }

  /** Takes a vector out; one that is not there is no error. */
  remove(id: number): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#slots.delete(id);
    this.#memory.clear(slot);
    this.#free.push(slot);
  }

  /**
   * Returns the nearest vectors, nearest first. If filters admit few, it finds fewer, because only
   * the nearest 32,000 are checked. A search may or may not see a change made during it.
   *
   * @throws Error if the query has other dimensions
   */
  async search(
    query: Float32Array,
    { limit, admits = () => true }: VectorSearch,
  ): Promise<NearVector> {
    const asked = this.#asked(query);
    if (asked === undefined || limit <= 0) return { nearest: [], floor: 1 };
    const best = new FirstItems<Neighbour>(limit, compareNeighbours);
    const slices = new Slices({ milliseconds: SLICE_MILLISECONDS });
    const estimates = await this.#estimate(asked, slices);
    const floor = estimates.floor(this.dimensions);
    const wanted = Math.ceil(
      Math.max(limit * CANDIDATES_PER_RESULT, CANDIDATES_SHARE * this.size),
    );
    for (
      let most = wanted;
      !best.isFull && estimates.left > 0 && estimates.returned < CANDIDATES_MAX;
      most *= CANDIDATES_GROWTH
    ) {
      const slots = estimates.next(most);
      for (let from = 0; from < slots.length; from += SLICE_SCORES) {
        if (slices.isOver) await slices.turn();
        for (const neighbour of this.#score(asked, slots.subarray(from, from + SLICE_SCORES))) {
          if (best.last !== undefined && compareNeighbours(neighbour, best.last) > 0) continue;
          if (admits(neighbour.id)) best.add(neighbour);
        }
      }
    }
    return { nearest: best.list(), floor };
  }

  /**
   * Returns the cosine of each id that has a vector.
   *
   * @throws Error if the query has other dimensions
   */
  scores(query: Float32Array, ids: Iterable<number>): Map<number, number> {
    const asked = this.#asked(query);
    const scores = new Map<number, number>();
    if (asked === undefined) return scores;
    for (const id of ids) {
      const slot = this.#slots.get(id);
      if (slot !== undefined) scores.set(id, this.#memory.score(asked, slot));
    }
    return scores;
  }

  #asked(query: Float32Array): Asked | undefined {
    if (query.length !== this.dimensions) throw new Error("a query of other dimensions");
    return askedOf(query);
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

  async #estimate(asked: Asked, slices: Slices): Promise<Estimates> {
    const estimates = new Estimates(this.#used);
    for (let start = 0; start < estimates.length; start += BLOCK) {
      const count = Math.min(BLOCK, estimates.length - start);
      estimates.note(this.#memory.estimate(asked, start, count), start);
      if (slices.isOver) await slices.turn();
    }
    return estimates;
  }

  #score(asked: Asked, slots: Uint32Array): Neighbour[] {
    const scored: Neighbour[] = [];
    for (const slot of slots) {
      const score = this.#memory.score(asked, slot);
      // A vector that was removed meanwhile has no score. One in its place has a score of its own.
      if (!Number.isNaN(score)) scored.push({ id: this.#ids[slot]!, score });
    }
    return scored;
  }
}

/** Enlarges by half, because slots that are not used yet cost little. */
function enlarged(ids: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(BLOCK * Math.ceil(1.5 * ids.length / BLOCK + 1));
  larger.set(ids);
  return larger;
}
