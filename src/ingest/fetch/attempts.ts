/** Counts the attempts of one fetch, and waits between attempts. */
import type { Deadline, Sleep } from "./deadline.ts";
import { FetchFailure } from "./failure.ts";

/** Counter of the attempts of one fetch. */
export interface Attempts {
  /**
   * Waits after a failure until the next attempt.
   * @throws the failure itself if it is permanent, no attempt is left, or the deadline comes before
   * the end of the wait
   * @throws the reason of the deadline's signal if the signal aborts
   */
  waitAfter(failure: unknown): Promise<void>;
}

/** Milliseconds until the second attempt. Each further wait doubles. Both bounds are chosen. */
const FIRST_WAIT_MILLISECONDS = 500;
const WAIT_MAX_MILLISECONDS = 30_000;

/**
 * Returns a counter that already counts the first attempt. `random` returns a number from 0 to 1.
 */
export function countAttempts(max: number, options: {
  deadline: Deadline;
  now: () => Date;
  sleep: Sleep;
  random: () => number;
}): Attempts {
  const { deadline, now, sleep, random } = options;
  let made = 1;
  return {
    async waitAfter(failure) {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      if (!(failure instanceof FetchFailure) || !failure.temporary || made >= max) throw failure;
      // The wait has jitter, so that clients that failed together do not retry together.
      const doubled = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** (made - 1), WAIT_MAX_MILLISECONDS);
      const requested = (failure.retry_at?.getTime() ?? 0) - now().getTime();
      const wait = Math.max(doubled * (1 + random()) / 2, requested);
      if (wait >= deadline.left()) throw failure;
      made++;
      await sleep(wait, deadline.signal);
    },
  };
}
