/** Lets subscriptions take turns, so that one with many requests at once hardly delays others. */
import { Failure } from "../failures.ts";
import { atMost } from "../repeat.ts";

/**
 * Max number of operations of a subscription that a process performs at once for waiting callers. A
 * search is CPU time of this process, so another subscription's search waits for at most this
 * number of searches of each subscription.
 */
const AT_ONCE = 2;

/**
 * Max number of requests of a subscription in a process whose callers wait for the result.
 * has_full_backlog has the same number for operations that wait for a worker.
 */
export const ADMITTED_MAX = 100;

/**
 * Seconds after which an operation that waits for its turn is given back. A worker then performs
 * it.
 */
export const TURN_WAIT_SECONDS = 4;

interface Queue {
  admitted: number;
  running: number;
  waiting: Set<() => void>;
}

/** Admitted request, until it is disposed. */
export interface QueuePlace extends Disposable {
  /**
   * Resolves as soon as the operation may be performed. Operations of a subscription start in the
   * order of the calls.
   * @throws Failure unavailable after TURN_WAIT_SECONDS
   */
  turn(): Promise<void>;
}

/** Turns of the subscriptions in a process. */
export class Turns {
  readonly #queues = new Map<number, Queue>();
  readonly #milliseconds: number;

  /** @param milliseconds max wait for a turn */
  constructor(milliseconds: number = TURN_WAIT_SECONDS * 1000) {
    this.#milliseconds = milliseconds;
  }

  /** Admits a request. Returns undefined if its subscription has ADMITTED_MAX requests already. */
  enter(subscription_id: number): QueuePlace | undefined {
    const queue = this.#queues.getOrInsertComputed(
      subscription_id,
      () => ({ admitted: 0, running: 0, waiting: new Set() }),
    );
    if (queue.admitted === ADMITTED_MAX) return undefined;
    queue.admitted++;
    let runs = false;
    return {
      turn: async () => {
        if (queue.running < AT_ONCE) queue.running++;
        else await passedOn(queue, this.#milliseconds);
        runs = true;
      },
      [Symbol.dispose]: () => {
        if (runs) passOn(queue);
        if (--queue.admitted === 0) this.#queues.delete(subscription_id);
      },
    };
  }
}

/**
 * Counts a body as being read until the result is disposed, because each may stay for seconds and
 * occupies up to 0.5 MB.
 * @throws Failure too_many_requests if ADMITTED_MAX bodies of the subscription are being read
 */
export function enterBody(bodies: Turns, subscription_id: number): Disposable {
  const place = bodies.enter(subscription_id);
  if (place !== undefined) return place;
  throw new Failure("too_many_requests", {
    message: `${ADMITTED_MAX} bodies of the account are being read. Try again at retry_at.`,
    retry_at: new Date(Date.now() + 1000).toISOString(),
    retry_after_seconds: 1,
  });
}

function passOn(queue: Queue): void {
  const [next] = queue.waiting;
  if (next === undefined) {
    queue.running--;
  } else {
    queue.waiting.delete(next);
    next();
  }
}

/** Waits for the turn that a finished operation passes on. @throws Failure unavailable */
async function passedOn({ waiting }: Queue, milliseconds: number): Promise<void> {
  const { promise, resolve: start } = Promise.withResolvers<void>();
  waiting.add(start);
  await atMost(milliseconds, promise);
  if (!waiting.delete(start)) return;
  const cause = new Error("The subscription's other requests did not end in time.");
  throw new Failure("unavailable", {}, { cause });
}
