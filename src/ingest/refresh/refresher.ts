/**
 * The loops that refresh the dataset: they run due feeds, and fetch records about hostnames that
 * the dataset does not cover.
 */
import type { Log } from "../../log.ts";
import { repeat } from "../../repeat.ts";
import type { RefreshContext } from "./context.ts";
import { runDueFeed } from "./run_feed.ts";
import { refreshNextHostname, removeOldRefreshes } from "./run_hostname.ts";

/** Running loops. */
export interface Refresher {
  /** Interrupts the current refreshes, so that another process can continue them. */
  stop(): Promise<void>;
}

/** Milliseconds between two checks for work. No caller waits for a refresh. */
const POLL_MS = 1_000;

/**
 * Number of hostnames that a process requests at once. The pages of each are at most a few
 * megabytes, and the database records them one after the other.
 */
const HOSTNAMES_AT_ONCE = 4;

/**
 * Milliseconds between two removals of old notes about requested hostnames. An hour is chosen,
 * because a note that stays longer does no harm.
 */
const REMOVAL_MS = 3_600_000;

/**
 * Starts a loop that runs one feed at a time, and loops that request several hostnames at once.
 * Operations of callers run in other loops, so a refresh does not delay them.
 */
export function startRefresher(context: RefreshContext): Refresher {
  const { log } = context;
  const loops = [
    startLoop(log, POLL_MS, (signal) => runDueFeed(context, signal)),
    startLoop(log, REMOVAL_MS, () => removeOldRefreshes(context)),
  ];
  for (let n = 0; n < HOSTNAMES_AT_ONCE; n++) {
    loops.push(startLoop(log, POLL_MS, (signal) => refreshNextHostname(context, signal)));
  }
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
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
