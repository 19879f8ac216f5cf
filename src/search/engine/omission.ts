/**
 * Long lists that add little to a score. Most documents need not be looked up in them: without what
 * these can add at most, they fall short.
 */
import { firstFrom } from "./rising.ts";
import type { Segment } from "./segment.ts";

/** The postings of a term, from `start` up to `end`. */
export interface List {
  start: number;
  end: number;
  /** By level: what a posting adds. */
  adds: Uint16Array;
  /** What a posting of the term adds at most. */
  most: number;
}

/** What omitted lists add together at most, of what a document has to reach. */
const SHARE_MAX = 0.3;

/** The first of the lists, which rise by `most`, that need not be added up to find sums of `least`. */
export function chooseOmitted(lists: readonly List[], least: number): readonly List[] {
  let together = 0;
  const count = lists.findIndex(({ most }) => (together += most) > SHARE_MAX * least);
  return lists.slice(0, Math.max(count, 0));
}

export class Omission {
  /** What the lists add together at most. */
  readonly most: number;
  readonly postings: number;
  readonly #segment: Segment;
  readonly #lists: readonly List[];
  /** By list: where the next document is looked for. */
  readonly #places: Uint32Array;

  constructor(segment: Segment, lists: readonly List[]) {
    this.#segment = segment;
    this.#lists = lists;
    this.#places = Uint32Array.from(lists, ({ start }) => start);
    this.most = lists.reduce((sum, { most }) => sum + most, 0);
    this.postings = lists.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Lets documents come that are lower than the last one. */
  rewind(): void {
    this.#lists.forEach(({ start }, n) => this.#places[n] = start);
  }

  /**
   * Takes out of a sum what the lists could have added and do not; stops where it is too low. Documents
   * rise from call to call.
   */
  lower(document: number, { sum, least }: { sum: number; least: number }): number {
    const { levels } = this.#segment.parts;
    let lowered = sum;
    for (let n = this.#lists.length - 1; n >= 0 && lowered >= least; n--) {
      const { adds, most } = this.#lists[n]!;
      const place = this.#placeOf(document, n);
      lowered -= place < 0 ? most : most - adds[levels[place]!]!;
    }
    return lowered;
  }

  /** Where a document stands in a list, or -1. */
  #placeOf(document: number, list: number): number {
    const { postings } = this.#segment.parts;
    const { end } = this.#lists[list]!;
    let from = this.#places[list]!;
    let step = 1;
    while (from + step < end && postings[from + step]! < document) {
      from += step;
      step *= 2;
    }
    const to = Math.min(from + step + 1, end);
    const place = firstFrom(postings, { start: from, end: to, least: document });
    this.#places[list] = place;
    return place < end && postings[place] === document ? place : -1;
  }
}
