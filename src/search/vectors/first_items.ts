/** Keeps the first items, in a given order, of many that are added. */

/** Min number of items beyond the limit that are kept before the list is cut. */
const SURPLUS_MIN = 64;

/**
 * Keeps the first `limit` items of an order. The list is sorted and cut whenever it has twice as
 * many items, or SURPLUS_MIN more if the limit is low.
 */
export class FirstItems<Item> {
  readonly #limit: number;
  readonly #compare: (a: Item, b: Item) => number;
  #kept: Item[] = [];
  /** Last item that the latest cut kept. No item after it can be among the first items. */
  last: Item | undefined;

  constructor(limit: number, compare: (a: Item, b: Item) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  get isFull(): boolean {
    return this.#kept.length >= this.#limit;
  }

  add(item: Item): void {
    this.#kept.push(item);
    if (this.#kept.length < this.#limit + Math.max(this.#limit, SURPLUS_MIN)) return;
    this.#kept = this.list();
    this.last = this.#kept.at(-1);
  }

  /** Returns the first items in their order. */
  list(): Item[] {
    return this.#kept.toSorted(this.#compare).slice(0, this.#limit);
  }
}
