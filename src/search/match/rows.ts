/**
 * Arrays in which a search collects the values of records. Searches borrow them. With new ones for
 * each search, V8 collects all garbage once per second, which delays ten requests by 60 ms: p99 was
 * 54 to 57 ms instead of 15 to 32 (129 questions per second over 51,746 records, 2026-11-29).
 */
import type { PlacedSegment } from "../index/records.ts";
import type { PostingRange } from "../index/segment.ts";

/** Number of groups into which slots are sorted by their scores. */
const GROUPS = 1024;

/** Number of arrays that are kept for later searches, and of their rows. Few questions need more. */
const KEPT = { arrays: 4, rows: 12 };

const kept: Rows[] = [];

/** Returns arrays with 0 in every place. Disposing gives them back. */
export function borrowRows(rows: number, slots: number): Rows {
  const one = rows <= KEPT.rows ? kept.pop() : undefined;
  // The number of slots changes with the index.
  return one?.slots === slots ? one : new Rows(Math.max(rows, KEPT.rows), slots);
}

/** Scores of record slots, and one row of similarities per unit. */
export class Rows implements Disposable {
  /** Sum of the weighted values of each slot; above 0 for each slot that a unit has entered. */
  readonly scores: Float32Array;
  readonly #similarities: Uint8Array;
  /** Values of the row at hand. */
  readonly #values: Uint8Array;
  /** Slots of the row at hand. */
  readonly #entered: Uint32Array;
  #enteredCount = 0;

  constructor(private readonly rows: number, readonly slots: number) {
    this.#similarities = new Uint8Array(rows * slots);
    this.#values = new Uint8Array(slots);
    this.#entered = new Uint32Array(slots);
    this.scores = new Float32Array(slots);
  }

  /** Enters postings into the row of a unit. The greatest value and similarity of a slot stay. */
  enter(
    { base, arrays: { documents, impacts } }: PlacedSegment,
    { from, to }: PostingRange,
    { row, similarity, mark }: { row: number; similarity: number; mark: number },
  ): void {
    const start = row * this.slots;
    const values = this.#values;
    const similarities = this.#similarities;
    const entered = this.#entered;
    let count = this.#enteredCount;
    for (let at = from; at < to; at++) {
      const slot = base + documents[at]!;
      const value = Math.max(1, impacts[at]! * similarity) & 0xff;
      const known = values[slot]!;
      if (known === 0) entered[count++] = slot;
      if (known < value) values[slot] = value;
      if (similarities[start + slot]! < mark) similarities[start + slot] = mark;
    }
    this.#enteredCount = count;
  }

  /** Adds the row at hand to the scores, before the next one. @param weight that of its unit */
  add(weight: number): void {
    const part = weight / 255;
    for (let n = 0; n < this.#enteredCount; n++) {
      const slot = this.#entered[n]!;
      this.scores[slot]! += part * this.#values[slot]!;
      this.#values[slot] = 0;
    }
    this.#enteredCount = 0;
  }

  /** Yields slots in groups of similar scores, the best first. */
  *bestFirst(slots: readonly number[]): Iterable<number[]> {
    const { scores } = this;
    let best = 0;
    for (const slot of slots) best = Math.max(best, scores[slot]!);
    const groups: number[][] = [];
    for (const slot of slots) {
      (groups[(GROUPS - 1) * (1 - scores[slot]! / best) | 0] ??= []).push(slot);
    }
    // Empty groups are left out.
    yield* Object.values(groups);
  }

  /** Returns the similarities of a slot in the first rows. */
  similaritiesOf(slot: number, rows: number): number[] {
    const all: number[] = [];
    for (let row = 0; row < rows; row++) all.push(this.#similarities[row * this.slots + slot]!);
    return all;
  }

  [Symbol.dispose](): void {
    if (this.rows > KEPT.rows || kept.length === KEPT.arrays) return;
    // A search that failed has left values.
    this.add(0);
    this.scores.fill(0);
    this.#similarities.fill(0);
    kept.push(this);
  }
}
