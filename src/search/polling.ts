/** The loop around following what changes elsewhere: a dataset, or the tables of a search engine. */
import { errorFields, type Log } from "../log.ts";
import { pause } from "../repeat.ts";

/** Milliseconds between two polls, unless a follower says otherwise. */
const POLL_MILLISECONDS = 250;

/** A database or an engine that fails is asked again after a second at the latest. */
const RETRY_MILLISECONDS_MAX = 1_000;

interface Polling {
  log: Log;
  /** Milliseconds between two polls; absent: 250. A failure doubles them, up to a second. */
  poll_milliseconds?: number;
  signal: AbortSignal;
  /** Message about a failure. */
  complaint: string;
  /** Message about the first success after a failure that was told; absent: nothing is said. */
  relief?: string;
  /** Returns whether an error is a state to wait for, of which nothing is said; absent: none is. */
  isAwaited?: (error: unknown) => boolean;
}

/** Repeats some work until the signal. What fails is tried again later. Never throws. */
export async function poll(
  work: () => Promise<void>,
  { log, poll_milliseconds = POLL_MILLISECONDS, signal, complaint, relief, isAwaited }: Polling,
): Promise<void> {
  let failures = 0;
  /** Number of failures, except for those that are awaited. */
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

/** Pauses for some milliseconds, or until the signal. */
export function pauseUntil(signal: AbortSignal, milliseconds: number): Promise<void> {
  return pause(milliseconds, new EventTarget(), signal);
}
