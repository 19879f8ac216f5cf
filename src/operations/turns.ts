/** Lets callers take turns, so that a caller with many requests at once delays others little. */
import { Failure } from "../failures.ts";
import type { Caller } from "./action.ts";

/**
 * Max number of operations of an API key that a process performs at once. A search is CPU time of
 * this process, so another caller's search waits for at most this number of searches of each key.
 */
const AT_ONCE = 2;

/** Milliseconds after which a waiting request is refused, before anything is stored for it. */
const WAIT_MILLISECONDS = 10_000;

/** The requests of one key. */
interface Queue {
  running: number;
  waiting: Set<() => void>;
}

/** Turns of the callers of a process. */
export class Turns {
  readonly #queues = new Map<string, Queue>();

  /**
   * Runs work as soon as fewer than AT_ONCE works of its caller run. The works of a caller start in
   * the order of the calls.
   * @throws Failure unavailable if that takes too long
   */
  async run<T>({ key_hash }: Caller, work: () => Promise<T>): Promise<T> {
    const key = key_hash.toHex();
    const queue = this.#queues.getOrInsertComputed(key, () => ({ running: 0, waiting: new Set() }));
    if (queue.running < AT_ONCE) queue.running++;
    else await waitIn(queue);
    try {
      return await work();
    } finally {
      const [next] = queue.waiting;
      if (next !== undefined) {
        queue.waiting.delete(next);
        next();
      } else if (--queue.running === 0) {
        this.#queues.delete(key);
      }
    }
  }
}

/** Waits for the turn that a finished work passes on. */
function waitIn({ waiting }: Queue): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(start);
      const cause = new Error("The caller's other requests did not end in time.");
      reject(new Failure("unavailable", {}, { cause }));
    }, WAIT_MILLISECONDS);
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    waiting.add(start);
  });
}
