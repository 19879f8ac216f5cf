import { createQueue, type PoolQueue } from "../db/pool_queue.ts";
import { Failure } from "../failures.ts";
import type { Caller } from "./action.ts";
import { callerName } from "./delivered_callers.ts";

/** Max number of claims and settlements of one caller that are under way at a time. */
export const CALLER_STATEMENTS_MAX = 4;

/** Max seconds that a claim or a settlement waits for the others of its caller. */
const WAIT_SECONDS = 3;

/**
 * Limits the claims and settlements of each caller. They all lock the row of one subscription, and
 * each one that waits for it costs the database CPU time and keeps a connection from other callers.
 */
export class CallerTurns {
  readonly #wait_seconds: number;
  readonly #queues = new Map<string, PoolQueue<symbol>>();

  constructor(wait_seconds = WAIT_SECONDS) {
    this.#wait_seconds = wait_seconds;
  }

  /**
   * Runs a claim or a settlement as soon as few enough of its caller are under way. Those that wait
   * are run in their order.
   * @throws Failure unavailable if none ends in time; nothing was sent then
   */
  async run<T>(caller: Caller, statement: () => Promise<T>): Promise<T> {
    const name = callerName(caller);
    let queue = this.#queues.get(name);
    if (queue === undefined) this.#queues.set(name, queue = createTurns());
    const turn = await queue.take(this.#wait_seconds);
    try {
      return await statement();
    } finally {
      queue.giveBack(turn);
      if (queue.idle().length === CALLER_STATEMENTS_MAX) this.#queues.delete(name);
    }
  }
}

function createTurns(): PoolQueue<symbol> {
  return createQueue(Array.from({ length: CALLER_STATEMENTS_MAX }, Symbol), () => {
    const cause = new Error("The caller's other claims and settlements did not end in time.");
    return new Failure("unavailable", {}, { cause });
  });
}
