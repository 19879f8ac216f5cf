/** Limits the time of many items with one timer, which costs less than a timer per item. */

/** An item with its deadline. */
interface Due<Item> {
  item: Item;
  /** Deadline in milliseconds of performance.now(). */
  at: number;
}

/**
 * Reports items that are not deleted before their deadline. There is at most one item per
 * connection, so a list is fast enough. A map would often replace its hash table, and the old
 * tables would keep their items in memory until the next full garbage collection.
 */
export class Deadlines<Item> {
  readonly #milliseconds: number;
  readonly #expire: (item: Item) => void;
  readonly #due: Due<Item>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param expire called with each item that was not deleted in time, after its deletion */
  constructor(seconds: number, expire: (item: Item) => void) {
    this.#milliseconds = seconds * 1000;
    this.#expire = expire;
  }

  /** Starts to watch an item. */
  add(item: Item): void {
    this.#due.push({ item, at: performance.now() + this.#milliseconds });
    // The timer continues when its item is deleted. When it fires, it checks the remaining items.
    this.#timer ??= setTimeout(() => this.#check(), this.#milliseconds);
  }

  /** Stops watching an item. @returns whether the item was watched */
  delete(item: Item): boolean {
    const place = this.#due.findIndex((due) => due.item === item);
    if (place < 0) return false;
    const last = this.#due.pop()!;
    if (place < this.#due.length) this.#due[place] = last;
    return true;
  }

  /** Stops the timer. No item expires afterwards. */
  close(): void {
    clearTimeout(this.#timer);
    this.#due.length = 0;
  }

  #check(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const { item } of this.#due.filter(({ at }) => at <= now)) {
      if (this.delete(item)) this.#expire(item);
    }
    // `expire` may have added an item and set its timer, but the remaining items are due earlier.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#due.length === 0) return;
    const next = Math.min(...this.#due.map(({ at }) => at));
    this.#timer = setTimeout(() => this.#check(), Math.ceil(next - now));
  }
}
