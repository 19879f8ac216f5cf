/** The best observations, and the best companies, of all that are offered. */
import type { Collector } from "./question.ts";

export interface ObservationHit {
  observation_id: number;
  company_id: number;
  score: number;
}

/** Best first; observations that score alike in the order of their ids. */
export function compareHits(a: ObservationHit, b: ObservationHit): number {
  return b.score - a.score || a.observation_id - b.observation_id;
}

/** Keeps the best observations. */
export class BestObservations implements Collector {
  threshold = 0;
  readonly isInOneSegment = null;
  readonly #limit: number;
  /** A heap: none is better than those below it, the worst of all on top. */
  readonly #heap: ObservationHit[] = [];

  constructor(limit: number) {
    this.#limit = limit;
    if (limit === 0) this.threshold = Infinity;
  }

  wants(): boolean {
    return true;
  }

  /** What falls short is not wanted any more. */
  noteLeft(): void {}

  offer(observation_id: number, company_id: number, score: number): boolean {
    if (score < this.threshold) return true;
    const hit = { observation_id, company_id, score };
    if (this.#heap.length < this.#limit) this.#rise(hit, this.#heap.length);
    else if (compareHits(hit, this.#heap[0]!) < 0) this.#sink(hit);
    if (this.#heap.length === this.#limit) this.threshold = this.#heap[0]?.score ?? Infinity;
    return true;
  }

  /** Best first. */
  hits(): ObservationHit[] {
    return this.#heap.toSorted(compareHits);
  }

  #rise(hit: ObservationHit, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (compareHits(hit, this.#heap[above]!) <= 0) break;
      this.#heap[place] = this.#heap[above]!;
      place = above;
    }
    this.#heap[place] = hit;
  }

  #sink(hit: ObservationHit): void {
    const { length } = this.#heap;
    let place = 0;
    for (let below = 1; below < length; below = 2 * place + 1) {
      if (below + 1 < length && compareHits(this.#heap[below + 1]!, this.#heap[below]!) > 0) {
        below++;
      }
      if (compareHits(this.#heap[below]!, hit) <= 0) break;
      this.#heap[place] = this.#heap[below]!;
      place = below;
    }
    this.#heap[place] = hit;
  }
}
