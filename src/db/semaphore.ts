import { closedError } from "./driver.ts";

interface Waiter<Slot> {
  resolve(slot: Slot): void;
  reject(error: unknown): void;
}

/**
 * Counting semaphore whose permits are slots, such as the connections of a pool. Callers that wait
 * are served in the order of arrival.
 */
export class Semaphore<Slot> {
  readonly #free: Slot[];
  readonly #deadlineError: () => Error;
  /**
   * Callers in order of arrival. Usually all have the same time limit, so a caller whose time is
   * over is at the start of the list.
   */
  readonly #waiting: Waiter<Slot>[] = [];
  #closed = false;

  /** @param deadlineError returns the error of a caller that waited too long */
  constructor(slots: readonly Slot[], deadlineError: () => Error) {
    this.#free = [...slots];
    this.#deadlineError = deadlineError;
  }

  /** Slots that are not in use. */
  get idle(): readonly Slot[] {
    return this.#free;
  }

  /**
   * Takes the free slot that was given back last. If no slot is free, waits for one. Rejects if
   * none becomes free in time.
   */
  async take(wait_seconds: number): Promise<Slot> {
    if (this.#closed) throw closedError("The database is closed.");
    const slot = this.#free.pop();
    return slot === undefined ? await this.#wait(wait_seconds) : slot;
  }

  /**
   * Takes the free slot that was given back last. Returns undefined if no slot is free, or if this
   * slot fails the test.
   */
  takeIdle(test: (slot: Slot) => boolean): Slot | undefined {
    const slot = this.#free.at(-1);
    return slot !== undefined && test(slot) ? this.#free.pop() : undefined;
  }

  giveBack(slot: Slot): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next.resolve(slot);
  }

  /** Rejects all waiting and later calls of take(). @returns the slots that are not in use */
  close(): Slot[] {
    this.#closed = true;
    for (const waiter of this.#waiting.splice(0)) {
      waiter.reject(closedError("The database is closing."));
    }
    return this.#free.splice(0);
  }

  async #wait(seconds: number): Promise<Slot> {
    const { promise, ...waiter } = Promise.withResolvers<Slot>();
    this.#waiting.push(waiter);
    const timer = setTimeout(() => {
      const place = this.#waiting.indexOf(waiter);
      if (place >= 0) this.#waiting.splice(place, 1);
      waiter.reject(this.#deadlineError());
    }, seconds * 1000);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}
