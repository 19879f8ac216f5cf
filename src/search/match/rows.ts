/** Arrays in which a search collects the values of records. Searches borrow them one at a time. */
import type { PlacedSegment } from "../index/records.ts";
import type { PostingRange } from "../index/segment.ts";

/** Number of sets of arrays that are kept for later searches. */
const KEPT_MAX = 2;

const kept: Rows[] = [];

/** Number of groups into which slots are sorted by their scores. */
const GROUPS = 1024;

/** Returns arrays for a number of rows and record slots. Disposing gives them back. */
export function borrowRows({ rows, slots }: { rows: number; slots: number }): Rows {
  const at = kept.findIndex((one) => one.fits(rows, slots));
  return at < 0 ? new Rows(rows, slots) : kept.splice(at, 1)[0]!;
}

/** One row of values per unit, with one byte per record slot. All bytes are 0 when borrowed. */
export class Rows implements Disposable {
  /** Slots that any unit has entered, in the order of their first entry. */
  readonly touched: Uint32Array;
  touchedCount = 0;
  /** Sum of the weighted values of each slot. */
  readonly scores: Float32Array;
  readonly #slots: number;
  readonly #values: Uint8Array;
  readonly #similarities: Uint8Array;
  readonly #isTouched: Uint8Array;
  readonly #rows: number;
  /** Slots of the present row. */
  readonly #entered: Uint32Array;
  #enteredCount = 0;
  #row = 0;
  #rowsUsed = 0;

  constructor(rows: number, slots: number) {
    this.#rows = rows;
    this.#slots = slots;
    this.#values = new Uint8Array(rows * slots);
    this.#similarities = new Uint8Array(rows * slots);
    this.#isTouched = new Uint8Array(slots);
    this.#entered = new Uint32Array(slots);
    this.touched = new Uint32Array(slots);
    this.scores = new Float32Array(slots);
  }

  /** Tells whether the arrays are large enough, and not wastefully large. */
  fits(rows: number, slots: number): boolean {
    return this.#slots >= slots && this.#slots <= 2 * slots + 1024 && this.#rows >= rows;
  }

  /** Begins the row of the next unit. */
  begin(row: number): void {
    this.#row = row;
    this.#rowsUsed = Math.max(this.#rowsUsed, row + 1);
    this.#enteredCount = 0;
  }

  /** Enters postings into the present row. The greatest value and similarity of a slot stay. */
  enter(
    { base, arrays: { documents, impacts } }: PlacedSegment,
    { from, to }: PostingRange,
    { similarity, mark }: { similarity: number; mark: number },
  ): void {
    const start = this.#row * this.#slots + base;
    const values = this.#values;
    const similarities = this.#similarities;
    for (let at = from; at < to; at++) {
      const place = start + documents[at]!;
      const value = Math.max(1, impacts[at]! * similarity) & 0xff;
      if (values[place] === 0) this.#note(place - start + base);
      if (values[place]! < value) values[place] = value;
      if (similarities[place]! < mark) similarities[place] = mark;
    }
  }

  #note(slot: number): void {
    this.#entered[this.#enteredCount++] = slot;
    if (this.#isTouched[slot] !== 0) return;
    this.#isTouched[slot] = 1;
    this.touched[this.touchedCount++] = slot;
  }

  /** Adds the present row to the scores. @param weight weight of its unit */
  add(weight: number): void {
    const start = this.#row * this.#slots;
    const part = weight / 255;
    for (let n = 0; n < this.#enteredCount; n++) {
      const slot = this.#entered[n]!;
      this.scores[slot]! += part * this.#values[start + slot]!;
    }
  }

  /** Yields the touched slots in groups of similar scores, the best first. */
  *bestFirst(): Iterable<Uint32Array> {
    const { touched, touchedCount, scores } = this;
    let best = 0;
    for (let n = 0; n < touchedCount; n++) best = Math.max(best, scores[touched[n]!]!);
    const groupOf = (slot: number) => (GROUPS - 1) * (1 - scores[slot]! / (best || 1)) | 0;
    const starts = new Uint32Array(GROUPS + 1);
    for (let n = 0; n < touchedCount; n++) starts[groupOf(touched[n]!) + 1]!++;
    for (let group = 0; group < GROUPS; group++) starts[group + 1]! += starts[group]!;
    const ends = starts.slice(0, GROUPS);
    const slots = this.#entered;
    for (let n = 0; n < touchedCount; n++) slots[ends[groupOf(touched[n]!)]!++] = touched[n]!;
    for (let group = 0; group < GROUPS; group++) {
      if (starts[group]! < ends[group]!) yield slots.subarray(starts[group], ends[group]);
    }
  }

  /** Returns the similarities of a slot, one per unit. */
  similaritiesOf(slot: number): Uint8Array {
    const similarities = new Uint8Array(this.#rowsUsed);
    for (let row = 0; row < similarities.length; row++) {
      similarities[row] = this.#similarities[row * this.#slots + slot]!;
    }
    return similarities;
  }

  /** Clears what the search has written, and keeps the arrays for another search. */
  [Symbol.dispose](): void {
    this.scores.fill(0);
    this.#isTouched.fill(0);
    this.#values.fill(0, 0, this.#rowsUsed * this.#slots);
    this.#similarities.fill(0, 0, this.#rowsUsed * this.#slots);
    this.touchedCount = 0;
    this.#rowsUsed = 0;
    if (kept.length >= KEPT_MAX) kept.shift();
    kept.push(this);
  }
}
