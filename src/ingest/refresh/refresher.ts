/**
 * The loop that keeps the dataset fresh: feeds that are due, and hostnames that nothing covers yet.
 */
import type { Log } from "../../log.ts";
import { repeat } from "../../repeat.ts";
import type { RefreshContext } from "./context.ts";
import { runDueFeed } from "./run_feed.ts";
import { refreshNextHostname } from "./run_hostname.ts";

export interface Refresher {
  /** Interrupts the refresh that is running, so that another process can continue it. */
  stop(): Promise<void>;
}

/** Milliseconds between two looks for work. Nobody waits for a refresh. */
const POLL_MS = 1_000;

/** Starts one refresh at a time, apart from the loops that callers wait for. */
export function startRefresher(context: RefreshContext): Refresher {
  return startLoop(context.log, POLL_MS, async (signal) => {
    const ran = await runDueFeed(context, signal);
    if (signal.aborted) return false;
    // Feeds and hostnames take turns, so that neither holds up the other.
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
