/** Holds the records of a dataset in segments that are sealed, replaced and merged. */
import { analyze, type AnalyzedDocument } from "./analyze.ts";
import type { ObservationDocument } from "./document.ts";
import { Records } from "./records.ts";
import { buildSegment, mergeSegments, Segment, type SegmentArrays } from "./segment.ts";

/** Number of segments of about the same size that are merged into one. */
const MERGED_SEGMENTS = 4;

/**
 * Number of records that are sealed into one segment while an index is filled. Segments of tens of
 * thousands of records take hundreds of megabytes to build.
 */
const SEALED_RECORDS = 8_192;

/** Max number of records of a merge in this thread. It takes some milliseconds. */
const MERGED_HERE = 1_000;

export class RecordIndex {
  /** Records that are not in a segment yet, by their ids. */
  #pending = new Map<number, AnalyzedDocument>();
  #records: Records;

  /** @param segments segments of another index, whose arrays are used without a copy */
  constructor(segments: readonly SegmentArrays[] = []) {
    this.#records = new Records(segments.map((arrays) => new Segment(arrays)));
  }

  /** The present records. They are replaced with the next change, except for removals. */
  get records(): Records {
    this.#seal();
    return this.#records;
  }

  /** Number of bytes in memory. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Returns the segments, for another thread or a snapshot. Their arrays are not copied. */
  segments(): SegmentArrays[] {
    this.#seal();
    return this.#segments.map(({ arrays }) => arrays);
  }

  /** Adds a record. It replaces an earlier one with the same id. */
  put(document: ObservationDocument): void {
    this.remove(document.observation_id);
    this.#pending.set(document.observation_id, analyze(document));
    if (this.#pending.size >= SEALED_RECORDS) this.#seal();
  }

  /** Removes a record, if it is present. */
  remove(id: number): void {
    if (!this.#pending.delete(id)) this.#segments.some((segment) => segment.remove(id));
  }

  /** Removes records that have expired, as every replica does. @param now microseconds */
  evict(now: number): void {
    this.#seal();
    for (const segment of this.#segments) {
      const { expires_at, live } = segment.arrays;
      for (let document = 0; document < live.length; document++) {
        if (expires_at[document]! > now || live[document] === 0) continue;
        live[document] = 0;
        segment.removed++;
      }
    }
  }

  /**
   * Returns segments that should become one: several of about the same size, or one of which most
   * records were removed. Small ones are merged at once.
   */
  due(): readonly Segment[] | undefined {
    this.#seal();
    for (let due = this.#next(); due !== undefined; due = this.#next()) {
      const records = due.reduce((sum, { size }) => sum + size, 0);
      if (records > MERGED_HERE) return due;
      this.adopt(due);
    }
  }

  #next(): readonly Segment[] | undefined {
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

  /**
   * Replaces segments by their merge, and repeats in it the removals since the merge began.
   *
   * @param merged absent: they are merged in this thread
   */
  adopt(due: readonly Segment[], merged = mergeSegments(due.map(({ arrays }) => arrays))): void {
    const segment = new Segment(merged);
    const { observation_id, live } = merged;
    observation_id.forEach((id, document) => {
      if (live[document] === 1 && due.every((one) => one.documentOf(id) < 0)) segment.remove(id);
    });
    const others = this.#segments.filter((one) => !due.includes(one));
    this.#records = new Records(segment.size > 0 ? [...others, segment] : others);
  }

  /** Merges all that is due in this thread. */
  compact(): void {
    for (let due = this.due(); due !== undefined; due = this.due()) this.adopt(due);
  }

  get #segments(): Segment[] {
    return this.#records.segments.map(({ segment }) => segment);
  }

  #seal(): void {
    if (this.#pending.size === 0) return;
    const segment = buildSegment([...this.#pending.values()]);
    this.#pending = new Map();
    this.#records = new Records([...this.#segments, segment]);
  }
}
