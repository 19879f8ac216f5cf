/** One timer for everything that has to end in the same time: one for each would cost more. */

/** Watches items that were added and not deleted in time. */
export class Deadlines<Item> {
  readonly #milliseconds: number;
  readonly #expire: (item: Item) => void;
  /** Moments by which items must be deleted, the earliest first. */
  readonly #due = new Map<Item, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param expire is called for an item that was not deleted in time, once it is deleted */
  constructor(seconds: number, expire: (item: Item) => void) {
    this.#milliseconds = seconds * 1000;
    this.#expire = expire;
  }

  /** Starts the time of an item. */
  add(item: Item): void {
    this.#due.set(item, performance.now() + this.#milliseconds);
    // A timer of an earlier item is left to itself when that is deleted: it finds out what is due.
    this.#timer ??= setTimeout(() => this.#check(), this.#milliseconds);
  }

  /** Ends the time of an item. */
  delete(item: Item): void {
    this.#due.delete(item);
  }

  /** Stops the timer. Nothing expires any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#due.clear();
  }

  #check(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [item, due] of this.#due) {
      if (due > now) {
        this.#timer = setTimeout(() => this.#check(), Math.ceil(due - now));
        return;
      }
      this.#due.delete(item);
      this.#expire(item);
    }
  }
}
