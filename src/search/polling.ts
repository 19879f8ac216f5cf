/** Repeats work that follows changes of a dataset, or of the tables of a search engine. */
import { errorFields, type Log } from "../log.ts";
import { pause } from "../repeat.ts";

/** Default number of milliseconds between two polls. */
const POLL_MILLISECONDS = 250;

/** Max milliseconds between two polls after a failure of the database or engine. */
const RETRY_MILLISECONDS_MAX = 1_000;

interface Polling {
  log: Log;
  /** Milliseconds between two polls. Absent: 250. Each failure in a row doubles them, max 1,000. */
  poll_milliseconds?: number;
  signal: AbortSignal;
  /** Message that is logged for a failure. */
  complaint: string;
  /** Message that is logged for the first success after a logged failure; absent: none. */
  relief?: string;
  /**
   * Returns whether an error is expected for a while. Such an error is not logged. Absent: all
   * errors are logged.
   */
  isAwaited?: (error: unknown) => boolean;
}

/** Repeats work until the signal aborts. A failure is retried after a pause. Never throws. */
export async function poll(
  work: () => Promise<void>,
  { log, poll_milliseconds = POLL_MILLISECONDS, signal, complaint, relief, isAwaited }: Polling,
): Promise<void> {
  let failures = 0;
  /** Number of failures in a row that were not expected. */
  let unexpected = 0;
  while (!signal.aborted) {
    try {
      await work();
      if (unexpected > 0 && relief !== undefined) log.info(relief, { failures: unexpected });
      failures = unexpected = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      if (!isAwaited?.(error)) {
        unexpected++;
        // An outage is logged at its start, and then at increasing intervals.
        const isLogged = Number.isInteger(Math.log2(unexpected));
        if (isLogged) log.error(complaint, { failures: unexpected, ...errorFields(error) });
      }
    }
    const backoff = Math.min(poll_milliseconds * 2 ** failures, RETRY_MILLISECONDS_MAX);
    await pauseUntil(signal, failures > 0 ? backoff : poll_milliseconds);
  }
}

/** Pauses for a number of milliseconds, or until the signal aborts. */
export function pauseUntil(signal: AbortSignal, milliseconds: number): Promise<void> {
  return pause(milliseconds, new EventTarget(), signal);
}
