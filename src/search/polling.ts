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
  /** Message that is logged for the first success after a failure. */
  relief: string;
}

/** Repeats work until the signal aborts. A failure is retried after a pause. Never throws. */
export async function poll(
  work: () => Promise<void>,
  { log, poll_milliseconds = POLL_MILLISECONDS, signal, complaint, relief }: Polling,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await work();
      if (failures > 0) log.info(relief, { failures });
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      // An outage is logged at its start, and then at increasing intervals.
      const isLogged = Number.isInteger(Math.log2(failures));
      if (isLogged) log.error(complaint, { failures, ...errorFields(error) });
    }
    const backoff = Math.min(poll_milliseconds * 2 ** failures, RETRY_MILLISECONDS_MAX);
    await pause(failures > 0 ? backoff : poll_milliseconds, signal);
  }
}
