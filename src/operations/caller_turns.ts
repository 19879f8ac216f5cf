import { createSemaphore, type Semaphore } from "../db/semaphore.ts";
import { Failure } from "../failures.ts";
import type { Caller } from "./action.ts";

/** Max number of concurrent statements per caller that claim, or claim and settle. */
export const CALLER_STATEMENTS_MAX = 4;

/** Max seconds that a claiming statement waits for earlier statements of its caller to end. */
const WAIT_SECONDS = 3;

/**
 * Limits the claiming statements of each caller within this process. A caller is an API key. Its
 * statements lock the row of one subscription. Each statement that waits for the row costs the
 * database CPU time and occupies a connection. The settlement of a claimed operation does not wait
 * for a turn, because its lease could run out meanwhile.
 */
export class CallerTurns {
  readonly #wait_seconds: number;
  readonly #semaphores = new Map<string, Semaphore<symbol>>();

  constructor(wait_seconds = WAIT_SECONDS) {
    this.#wait_seconds = wait_seconds;
  }

  /**
   * Runs a statement as soon as fewer than CALLER_STATEMENTS_MAX of its caller are under way. The
   * statements of a caller start in the order of the calls of run().
   * @throws Failure unavailable if that takes too long; the statement has then not been sent
   */
  async run<T>(caller: Caller, statement: () => Promise<T>): Promise<T> {
    const hash = caller.key_hash.toHex();
    const semaphore = this.#semaphores.getOrInsertComputed(hash, createTurns);
    const turn = await semaphore.take(this.#wait_seconds);
    try {
      return await statement();
    } finally {
      semaphore.giveBack(turn);
      if (semaphore.idle().length === CALLER_STATEMENTS_MAX) this.#semaphores.delete(hash);
    }
  }
}

function createTurns(): Semaphore<symbol> {
  return createSemaphore(Array.from({ length: CALLER_STATEMENTS_MAX }, Symbol), () => {
    const cause = new Error("The caller's other claims did not end in time.");
    return new Failure("unavailable", {}, { cause });
  });
}
