/** The loop that keeps the dataset fresh: feeds that are due, hostnames that somebody missed. */
import { repeat } from "../../repeat.ts";
import type { RefreshContext } from "./context.ts";
import { runDueFeed } from "./run_feed.ts";
import { refreshNextHostname } from "./run_hostname.ts";

export interface Refresher {
  /** Breaks off what is under way, so that another process can go on with it. */
  stop(): Promise<void>;
}

/** Intervals are a minute at least, and nobody waits for a refresh. */
const POLL_MS = 1_000;

/** One refresh at a time, apart from the loops that callers wait for. */
export function startRefresher(context: RefreshContext): Refresher {
  const stopping = new AbortController();
  const { signal } = stopping;
  const step = async () => {
    const ran = await runDueFeed(context, signal);
    if (signal.aborted) return false;
    // In turns, so that neither a long queue nor many feeds hold up the other.
    return await refreshNextHostname(context, signal) || ran;
  };
  const loop = repeat(context.log, step, { pauseMs: POLL_MS, signal });
  return {
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}
