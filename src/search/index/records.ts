/** Presents the records of an index at one moment. Searches read them while the index changes. */
import { correctionsOf } from "../words/spelling.ts";
import { keysOf } from "../words/terms.ts";
import type { DocumentNumbers } from "./document.ts";
import type { Segment, SegmentArrays } from "./segment.ts";

/** A segment with the slots of its documents: `base` plus the number of a document. */
export interface PlacedSegment {
  segment: Segment;
  arrays: SegmentArrays;
  base: number;
}

/** Records in slots. Removed records keep their slots, but are not live. */
export class Records {
  readonly segments: readonly PlacedSegment[];
  /** Number of slots, including those of removed records. */
  readonly size: number;

  constructor(segments: readonly Segment[]) {
    let base = 0;
    this.segments = segments.map((segment) => {
      const placed = { segment, arrays: segment.arrays, base };
      base += segment.size;
      return placed;
    });
    this.size = base;
  }

  /** Number of live records. */
  get count(): number {
    return this.segments.reduce((sum, { segment }) => sum + segment.size - segment.removed, 0);
  }

  /** Returns the segment with a slot, and the number of its document. */
  placeOf(slot: number): [segment: PlacedSegment, document: number] {
    let at = this.segments.length - 1;
    while (this.segments[at]!.base > slot) at--;
    const segment = this.segments[at]!;
    return [segment, slot - segment.base];
  }

  /** Returns the number of a record in a column. */
  numberAt(slot: number, column: keyof DocumentNumbers | "live"): number {
    const [{ arrays }, document] = this.placeOf(slot);
    return arrays[column][document]!;
  }

  /** Returns the slot of the live record with an id; -1 if there is none. */
  slotOf(id: number): number {
    for (const { segment, base } of this.segments) {
      const document = segment.documentOf(id);
      if (document >= 0) return base + document;
    }
    return -1;
  }

  /** Counts the live records with a term. */
  frequency(key: number): number {
    let count = 0;
    for (const { segment } of this.segments) count += segment.frequency(key);
    return count;
  }

  /** Passes each live record with a term to a function. */
  read(key: number, take: (segment: PlacedSegment, document: number) => void): void {
    for (const placed of this.segments) {
      const { from, to } = placed.segment.find(key);
      const { documents, live } = placed.arrays;
      for (let at = from; at < to; at++) {
        if (live[documents[at]!] === 1) take(placed, documents[at]!);
      }
    }
  }

  /** Returns at most three words near a misspelled, folded word, the most probable first. */
  corrections(word: string): string[] {
    return correctionsOf(
      word,
      this.segments.flatMap(({ segment }) => segment.wordsLike(word)),
      (text) => Math.max(...keysOf([text]).map((key) => this.frequency(key))),
    );
  }
}
