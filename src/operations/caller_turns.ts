import { Semaphore } from "../db/semaphore.ts";
import { Failure } from "../failures.ts";
import type { Caller } from "./action.ts";

/** Max number of concurrent statements per caller that claim, or claim and settle. */
export const CALLER_STATEMENTS_MAX = 4;

/** Max number of callers whose semaphores are kept between requests: about 3 MB. */
const KEPT_MAX = 10_000;

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
  readonly #kept_max: number;
  /**
   * Semaphores by the key's hash. They are kept, because a map that changes with each request often
   * replaces its table. The old tables keep what they refer to until the next full garbage
   * collection. Above the max, the oldest semaphore that is not in use is dropped.
   */
  readonly #semaphores = new Map<string, Semaphore<number>>();

  constructor(wait_seconds = WAIT_SECONDS, kept_max = KEPT_MAX) {
    this.#wait_seconds = wait_seconds;
    this.#kept_max = kept_max;
  }

  /** Number of kept semaphores. */
  get kept(): number {
    return this.#semaphores.size;
  }

  /**
   * Runs a statement as soon as fewer than CALLER_STATEMENTS_MAX of its caller are under way. The
   * statements of a caller start in the order of the calls of run().
   * @throws Failure unavailable if that takes too long; the statement has then not been sent
   */
  async run<T>(caller: Caller, statement: () => Promise<T>): Promise<T> {
    const semaphore = this.#semaphoreOf(caller);
    const turn = await semaphore.take(this.#wait_seconds);
    try {
      return await statement();
    } finally {
      semaphore.giveBack(turn);
    }
  }

  #semaphoreOf(caller: Caller): Semaphore<number> {
    const hash = caller.key_hash.toHex();
    const known = this.#semaphores.get(hash);
    if (known !== undefined) return known;
    if (this.#semaphores.size >= this.#kept_max) this.#dropOldestIdle();
    const semaphore = createTurns();
    this.#semaphores.set(hash, semaphore);
    return semaphore;
  }

  #dropOldestIdle(): void {
    for (const [hash, { idle }] of this.#semaphores) {
      if (idle.length < CALLER_STATEMENTS_MAX) continue;
      this.#semaphores.delete(hash);
      return;
    }
  }
}

const TURNS = Array.from({ length: CALLER_STATEMENTS_MAX }, (_, turn) => turn);

function createTurns(): Semaphore<number> {
  return new Semaphore(TURNS, () => {
    const cause = new Error("The caller's other claims did not end in time.");
    return new Failure("unavailable", {}, { cause });
  });
}
