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

/** Scores of record slots, and one row of similarities per unit. All are 0 when borrowed. */
export class Rows implements Disposable {
  /** Sum of the weighted values of each slot; above 0 for each slot that a unit has entered. */
  readonly scores: Float32Array;
  readonly #slots: number;
  readonly #rows: number;
  readonly #similarities: Uint8Array;
  /** Values of the present row. */
  readonly #values: Uint8Array;
  /** Slots of the present row. */
  readonly #entered: Uint32Array;
  #enteredCount = 0;
  #row = 0;
  #rowsUsed = 0;

  constructor(rows: number, slots: number) {
    this.#rows = rows;
    this.#slots = slots;
    this.#similarities = new Uint8Array(rows * slots);
    this.#values = new Uint8Array(slots);
    this.#entered = new Uint32Array(slots);
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
  }

  /** Enters postings into the present row. The greatest value and similarity of a slot stay. */
  enter(
    { base, arrays: { documents, impacts } }: PlacedSegment,
    { from, to }: PostingRange,
    { similarity, mark }: { similarity: number; mark: number },
  ): void {
    const start = this.#row * this.#slots;
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

  /** Adds the present row to the scores. @param weight weight of its unit, above 0 */
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
    for (const group of groups) if (group !== undefined) yield group;
  }

  /** Returns the similarities of a slot in the first rows. */
  similaritiesOf(slot: number, rows: number): number[] {
    const similarities: number[] = [];
    for (let row = 0; row < rows; row++) {
      similarities.push(this.#similarities[row * this.#slots + slot]!);
    }
    return similarities;
  }

  /** Clears what the search has written, and keeps the arrays for another search. */
  [Symbol.dispose](): void {
    this.scores.fill(0);
    this.#values.fill(0);
    this.#similarities.fill(0, 0, this.#rowsUsed * this.#slots);
    this.#enteredCount = 0;
    this.#rowsUsed = 0;
    if (kept.length >= KEPT_MAX) kept.shift();
    kept.push(this);
  }
}
