/**
 * Documents that may be wanted, of all segments, before they are scored exactly. Best sums come first:
 * the sooner the threshold rises, the fewer are scored at all.
 */
import { boundCompanies } from "./company_bounds.ts";
import { DOCUMENTS_MAX } from "./layout.ts";
import type { Collector } from "./question.ts";
import type { SegmentSearch } from "./ranking.ts";

/** Bounds are computed in another order than scores: they differ in the last digits. */
export const SLACK = 1 - 1e-9;

/** With so many waiting, those that have come so far are scored. */
const WAITING_MAX = 8_192;
const ROOM = WAITING_MAX + DOCUMENTS_MAX;

/** Sums are sorted to within a bin. */
const BIN_BITS = 7;

/** So many are fetched from memory together. */
const WARMED = 64;

// One search at a time: searches never wait for anything.
const documents = new Uint16Array(ROOM);
const sums = new Uint16Array(ROOM);
const sources = new Uint16Array(ROOM);
/** By document: the mean sum that its company can reach. */
const bounds = new Uint16Array(ROOM);
const order = new Uint32Array(ROOM);
const bins = new Uint32Array(1 << (16 - BIN_BITS));

/** A segment whose documents are waiting. */
interface Source {
  search: SegmentSearch;
  /** Where its documents begin. */
  from: number;
  /** Its other documents have lower sums than this. */
  least: number;
}

export class Pool {
  #sources: Source[] = [];
  /** What sums are of scores. */
  readonly #scale: number;
  #size = 0;

  constructor(scale: number) {
    this.#scale = scale;
  }

  /** Documents that are added from here on are of this segment, all that have sums of `least`. */
  enter(search: SegmentSearch, least: number): void {
    this.#sources.push({ search, from: this.#size, least });
  }

  add(document: number, sum: number): void {
    documents[this.#size] = document;
    sums[this.#size] = sum;
    sources[this.#size++] = this.#sources.length - 1;
  }

  /** Offers what is waiting, if it has become much. */
  relieve(collector: Collector): void {
    if (this.#size > WAITING_MAX) this.flush(collector);
  }

  /** Offers what is waiting, as far as it is wanted. */
  flush(collector: Collector): void {
    const keys = this.#keysFor(collector);
    this.#sort(keys);
    const step = (1 << BIN_BITS) / this.#scale;
    let at = 0;
    for (; at < this.#size; at++) {
      if (at % WARMED === 0) this.#warm(at);
      const own = order[at]!;
      const key = keys[own]! / this.#scale;
      if (key + step < collector.threshold * SLACK) break;
      if (key < collector.threshold * SLACK) this.#leave(own, collector);
      else this.#offer(own, collector);
    }
    for (; at < this.#size; at++) this.#leave(order[at]!, collector);
    this.#size = 0;
    this.#sources = [];
  }

  #offer(own: number, collector: Collector): void {
    const sum = sums[own]!;
    const bound = sum / this.#scale;
    this.#searchOf(own).offerWanted(documents[own]!, { sum, bound, collector });
  }

  #leave(own: number, collector: Collector): void {
    this.#searchOf(own).reopen(documents[own]!, sums[own]!);
    collector.noteLeft(sums[own]! / this.#scale);
  }

  /** Returns what documents are compared by: sums, or the bounds of companies. */
  #keysFor({ isInOneSegment }: Collector): Uint16Array {
    if (isInOneSegment === null) return sums;
    this.#sources.forEach(({ search: { segment }, from, least }, place) => {
      const to = this.#sources[place + 1]?.from ?? this.#size;
      const waiting = { documents, sums, from, to, least };
      boundCompanies(segment, waiting, { bounds, isInOneSegment });
    });
    return bounds;
  }

  #sort(keys: Uint16Array): void {
    bins.fill(0);
    for (let at = 0; at < this.#size; at++) bins[keys[at]! >>> BIN_BITS]!++;
    let next = 0;
    for (let bin = bins.length - 1; bin >= 0; bin--) {
      const size = bins[bin]!;
      bins[bin] = next;
      next += size;
    }
    for (let at = 0; at < this.#size; at++) order[bins[keys[at]! >>> BIN_BITS]!++] = at;
  }

  /**
   * One after the other, each document would wait for memory several times; together they wait hardly
   * longer than one.
   */
  #warm(from: number): void {
    const to = Math.min(from + WARMED, this.#size);
    for (let at = from; at < to; at++) {
      const own = order[at]!;
      this.#searchOf(own).touch(documents[own]!);
    }
  }

  #searchOf(own: number): SegmentSearch {
    return this.#sources[sources[own]!]!.search;
  }
}
