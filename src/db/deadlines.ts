/** Bounds the time of many items by one timer, which costs less than a timer per item. */

interface Due<Item> {
  item: Item;
  /** Moment by which it must be deleted. */
  at: number;
}

/**
 * Watches for items that are not deleted in time. There are no more items than connections, so a
 * list is fast enough. A map would need a new table every few items. Its old tables would keep
 * their items in memory until the next full garbage collection.
 */
export class Deadlines<Item> {
  readonly #milliseconds: number;
  readonly #expire: (item: Item) => void;
  readonly #due: Due<Item>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param expire is called for an item that was not deleted in time, once it is deleted */
  constructor(seconds: number, expire: (item: Item) => void) {
    this.#milliseconds = seconds * 1000;
    this.#expire = expire;
  }

  /** Starts to watch an item. */
  add(item: Item): void {
    this.#due.push({ item, at: performance.now() + this.#milliseconds });
    // The timer is not stopped when its item is deleted. When it fires, it looks for items that are
    // due.
    this.#timer ??= setTimeout(() => this.#check(), this.#milliseconds);
  }

  /** Stops watching an item. @returns whether it was watched */
  delete(item: Item): boolean {
    const place = this.#due.findIndex((due) => due.item === item);
    if (place < 0) return false;
    const last = this.#due.pop()!;
    if (place < this.#due.length) this.#due[place] = last;
    return true;
  }

  /** Stops the timer. Nothing expires any more. */
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
    // A timer that was set while items expired is for a later one than those that are left.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#due.length === 0) return;
    const next = Math.min(...this.#due.map(({ at }) => at));
    this.#timer = setTimeout(() => this.#check(), Math.ceil(next - now));
  }
}
