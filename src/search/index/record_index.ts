/** Holds the records of a dataset in segments, and answers what a search asks of them. */
import { keyOf, termOf } from "../words/terms.ts";
import { LANGUAGES } from "../words/language.ts";
import { bestCorrections } from "../words/spelling.ts";
import { type AnalyzedDocument, analyze } from "./analyze.ts";
import type { ObservationDocument } from "./document.ts";
import { buildSegment, mergeSegments, Segment, type SegmentArrays } from "./segment.ts";

/** Number of segments of about the same size that are merged into one. */
const MERGED_SEGMENTS = 4;

/** Segments whose merge is due. */
export type DueMerge = readonly Segment[];

export class RecordIndex {
  #segments: Segment[] = [];
  #size = 0;
  /** Instant before which no record expires, in microseconds. */
  #nextExpiry = Infinity;

  /** @param state arrays of the segments of an index, which are used without a copy */
  constructor(state: readonly SegmentArrays[] = []) {
    this.#place(state.map((arrays) => new Segment(arrays)));
    for (const { arrays } of this.#segments) this.#noteExpiry(arrays);
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Number of slots, including those of removed records. */
  get size(): number {
    return this.#size;
  }

  /** Number of records. */
  get count(): number {
    return this.#segments.reduce((sum, { size, removed }) => sum + size - removed, 0);
  }

  /** Number of bytes in memory. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Returns the arrays of all segments, for another thread or a snapshot. They are not copied. */
  state(): SegmentArrays[] {
    return this.#segments.map(({ arrays }) => arrays);
  }

  /** Adds records. Each replaces an earlier one with the same id. */
  put(documents: readonly ObservationDocument[]): void {
    this.add(documents.map(analyze));
  }

  /** Adds analyzed records. Each replaces an earlier one with the same id. */
  add(analyzed: readonly AnalyzedDocument[]): void {
    const last = new Map(analyzed.map((one) => [one.document.observation_id, one]));
    for (const id of last.keys()) this.remove(id);
    if (last.size === 0) return;
    const segment = buildSegment([...last.values()]);
    this.#noteExpiry(segment.arrays);
    this.#place([...this.#segments, segment]);
  }

  /** Removes a record, if it is present. */
  remove(id: number): void {
    this.#segments.some((segment) => segment.remove(id));
  }

  /**
   * Removes records that have expired. Frequencies depend on all records, so replicas agree only if
   * they remove the same ones.
   *
   * @param now microseconds
   */
  evict(now: number): void {
    if (now < this.#nextExpiry) return;
    this.#nextExpiry = Infinity;
    for (const segment of this.#segments) {
      const { expires, live } = segment.arrays;
      expires.forEach((instant, document) => {
        if (live[document] === 0) return;
        if (instant > now) this.#nextExpiry = Math.min(this.#nextExpiry, instant);
        else {
          live[document] = 0;
          segment.removed++;
        }
      });
    }
    this.#place(this.#segments.filter(({ size, removed }) => removed < size));
  }

  /**
   * Returns segments that should become one: several of about the same size, or one of which most
   * records were removed.
   */
  due(): DueMerge | undefined {
    const tiers = Map.groupBy(
      this.#segments,
      ({ size, removed }) => Math.floor(Math.log(size - removed + 1) / Math.log(MERGED_SEGMENTS)),
    );
    for (const [, segments] of [...tiers].sort(([a], [b]) => a - b)) {
      if (segments.length >= MERGED_SEGMENTS) return segments;
    }
    const hollow = this.#segments.find(({ size, removed }) => removed > size / 2);
    return hollow && [hollow];
  }

  /** Replaces segments by their merge, and repeats in it the removals since the merge began. */
  adopt(due: DueMerge, merged: SegmentArrays): void {
    const segment = new Segment(merged);
    for (const { arrays: { ids, live } } of due) {
      const others = due.filter(({ arrays }) => arrays.ids !== ids);
      ids.forEach((id, document) => {
        const isReplaced = live[document] === 0 &&
          others.every((other) => other.documentOf(id) < 0);
        if (isReplaced) segment.remove(id);
      });
    }
    this.#place([...this.#segments.filter((one) => !due.includes(one)), segment]);
  }

  /** Merges all that is due in this thread. */
  compact(): void {
    for (let due = this.due(); due !== undefined; due = this.due()) {
      this.adopt(due, mergeSegments(due.map(({ arrays }) => arrays)).arrays);
    }
  }

  /** Returns the segment of a slot. */
  segmentOf(slot: number): Segment {
    let at = this.#segments.length - 1;
    while (this.#segments[at]!.base > slot) at--;
    return this.#segments[at]!;
  }

  /** Counts the records with a term. */
  frequency(key: number): number {
    let count = 0;
    for (const segment of this.#segments) count += segment.frequency(key);
    return count;
  }

  /** Passes each record with a term to a function. */
  read(key: number, take: (segment: Segment, document: number) => void): void {
    for (const segment of this.#segments) {
      const range = segment.find(key);
      if (range === undefined) continue;
      const { documents, live } = segment.arrays;
      for (let at = range.from; at < range.to; at++) {
        if (live[documents[at]!] === 1) take(segment, documents[at]!);
      }
    }
  }

  /** Returns the slot of the record with an id; -1 if there is none. */
  slotOf(id: number): number {
    for (const segment of this.#segments) {
      const document = segment.documentOf(id);
      if (document >= 0) return segment.base + document;
    }
    return -1;
  }

  /** Returns at most three words near a misspelled, folded word, the most probable first. */
  corrections(word: string): string[] {
    const near = new Set(this.#segments.flatMap((segment) => segment.near(word)));
    return bestCorrections(word, near, (text) =>
      Math.max(...LANGUAGES.map((language) => this.frequency(keyOf(termOf([text], language))))));
  }

  #place(segments: Segment[]): void {
    this.#size = 0;
    // The order of slots is the order of ties, so it must not depend on how segments were merged.
    for (const segment of segments) {
      segment.base = this.#size;
      this.#size += segment.size;
    }
    this.#segments = segments;
  }

  #noteExpiry({ expires, live }: SegmentArrays): void {
    expires.forEach((instant, document) => {
      if (live[document] === 1) this.#nextExpiry = Math.min(this.#nextExpiry, instant);
    });
  }
}
