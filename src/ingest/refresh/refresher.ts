/**
 * The loop that refreshes the dataset: it runs due feeds, and fetches records about hostnames that
 * the dataset does not cover.
 */
import type { Log } from "../../log.ts";
import { repeat } from "../../repeat.ts";
import type { RefreshContext } from "./context.ts";
import { runDueFeed } from "./run_feed.ts";
import { refreshNextHostname } from "./run_hostname.ts";

/** A running loop. */
export interface Refresher {
  /** Interrupts the current refresh, so that another process can continue it. */
  stop(): Promise<void>;
}

/** Milliseconds between two checks for work. No caller waits for a refresh. */
const POLL_MS = 1_000;

/**
 * Starts a loop that runs one refresh at a time. Operations of callers run in other loops, so a
 * refresh does not delay them.
 */
export function startRefresher(context: RefreshContext): Refresher {
  return startLoop(context.log, POLL_MS, async (signal) => {
    const ran = await runDueFeed(context, signal);
    if (signal.aborted) return false;
    // Feeds and hostnames take turns, so that neither delays the other for long.
    return await refreshNextHostname(context, signal) || ran;
  });
}

/** Repeats `step` as repeat() does, until the loop is stopped. */
export function startLoop(
  log: Log,
  pauseMs: number,
  step: (signal: AbortSignal) => Promise<boolean>,
): Refresher {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = repeat(log, () => step(signal), { pauseMs, signal });
  return {
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}
