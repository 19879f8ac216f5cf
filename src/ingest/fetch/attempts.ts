/** Attempts of one fetch, and the pauses between them. */
import type { Deadline, Sleep } from "./deadline.ts";
import { FetchFailure } from "./failure.ts";

export interface Attempts {
  /**
   * Waits until another attempt makes sense.
   * @throws the failure itself, where it does not pass, no attempt is left, or the time would be
   *   over before the wait; the signal's reason
   */
  again(failure: unknown): Promise<void>;
}

const FIRST_WAIT_MILLISECONDS = 500;
const WAIT_MOST_MILLISECONDS = 30_000;

/** The first attempt counts as made. `random` gives 0 to 1. */
export function countAttempts(max: number, options: {
  deadline: Deadline;
  now: () => Date;
  sleep: Sleep;
  random: () => number;
}): Attempts {
  const { deadline, now, sleep, random } = options;
  let made = 1;
  return {
    async again(failure) {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      if (!(failure instanceof FetchFailure) || !failure.passing || made >= max) throw failure;
      // At least half of the doubled wait, so that those who failed together come back apart.
      const doubled = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** (made - 1), WAIT_MOST_MILLISECONDS);
      const asked = (failure.retry_at?.getTime() ?? 0) - now().getTime();
      const wait = Math.max(doubled * (1 + random()) / 2, asked);
      if (wait >= deadline.left()) throw failure;
      made++;
      await sleep(wait, deadline.signal);
    },
  };
}
