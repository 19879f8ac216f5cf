/**
 * Runs the loops of the worker (worker.ts) until they are stopped. The drain loops take and perform
 * queued messages. The sweep loop takes over operations of dead processes, and expires old ones.
 */
import { repeat } from "../repeat.ts";
import type { RunContext } from "./run.ts";
import { drain, type MeteredActions, sweep, SWEEP_MAX } from "./worker.ts";

interface ConsumerOptions {
  /** Number of messages that are processed concurrently. */
  workers: number;
  retention_days: number;
}

/** The running loops. */
export interface Consumer {
  /** Looks for messages now instead of at the next poll. */
  wake(): void;
  /** Stops taking messages and waits for those in progress. */
  stop(): Promise<void>;
}

/**
 * Milliseconds between two polls for messages of other processes. A message of this process wakes
 * the drain loops at once.
 */
const POLL_MS = 250;
/**
 * Milliseconds between two sweeps. This is well below the duration of a lease, so that the work of
 * a dead process continues soon after its lease has ended.
 */
const SWEEP_MS = 5_000;

/**
 * Starts `workers` drain loops and the sweep loop. The sweep takes no messages, and every process
 * runs it.
 */
export function startConsumer(
  context: RunContext,
  actions: MeteredActions,
  { workers, retention_days }: ConsumerOptions,
): Consumer {
  const stopping = new AbortController();
  const bell = new EventTarget();
  const loops: Promise<void>[] = [];
  const { signal } = stopping;
  for (let n = 0; n < workers; n++) {
    const step = async () => await drain(context, actions) > 0;
    loops.push(repeat(context.log, step, { pauseMs: POLL_MS, bell, signal }));
  }
  const sweeping = async () => {
    const { expired, taken_over, retired } = await sweep(context, retention_days);
    if (taken_over > 0) bell.dispatchEvent(new Event("ring"));
    context.metrics?.leasesExpired(taken_over);
    if (expired + taken_over + retired > 0) {
      context.log.info("operations swept", { expired, taken_over, retired });
    }
    return Math.max(expired, taken_over, retired) === SWEEP_MAX;
  };
  loops.push(repeat(context.log, sweeping, { pauseMs: SWEEP_MS, signal }));
  return {
    wake: () => void bell.dispatchEvent(new Event("ring")),
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
