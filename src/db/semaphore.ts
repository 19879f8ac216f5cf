import { closedError } from "./driver.ts";

interface Waiter<Slot> {
  resolve(slot: Slot): void;
  reject(error: unknown): void;
}

/** Counting semaphore whose permits are slots, such as the connections of a pool. */
export interface Semaphore<Slot> {
  /**
   * Takes the free slot that was given back last. If no slot is free, waits for one. Rejects if
   * none becomes free in time.
   */
  take(wait_seconds: number): Promise<Slot>;
  /**
   * Takes the free slot that was given back last. Returns undefined if no slot is free, or if this
   * slot fails the test.
   */
  takeIdle(test: (slot: Slot) => boolean): Slot | undefined;
  giveBack(slot: Slot): void;
  /** Slots that are not in use. */
  idle(): readonly Slot[];
  /** Rejects all waiting and later calls of take(). @returns the slots that are not in use */
  close(): Slot[];
}

/**
 * Creates a counting semaphore that hands out slots. Callers that wait are served in the order of
 * arrival.
 */
export function createSemaphore<Slot>(
  slots: readonly Slot[],
  deadlineError: () => Error,
): Semaphore<Slot> {
  const free = [...slots];
  const waiting = new Set<Waiter<Slot>>();
  let closed = false;
  return {
    async take(wait_seconds) {
      if (closed) throw closedError("The database is closed.");
      const slot = free.pop();
      if (slot !== undefined) return slot;
      const { promise, ...waiter } = Promise.withResolvers<Slot>();
      waiting.add(waiter);
      const timer = setTimeout(() => {
        waiting.delete(waiter);
        waiter.reject(deadlineError());
      }, wait_seconds * 1000);
      return await promise.finally(() => clearTimeout(timer));
    },
    takeIdle(test) {
      const slot = free.at(-1);
      return slot !== undefined && test(slot) ? free.pop() : undefined;
    },
    giveBack(slot) {
      const [next] = waiting;
      if (next === undefined) {
        free.push(slot);
      } else {
        waiting.delete(next);
        next.resolve(slot);
      }
    },
    idle: () => free,
    close() {
      closed = true;
      for (const waiter of waiting) waiter.reject(closedError("The database is closing."));
      waiting.clear();
      return free.splice(0);
    },
  };
}
