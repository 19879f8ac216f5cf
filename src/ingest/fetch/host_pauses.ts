/** Allows one request per host at a time, with a pause between the starts of two requests. */
import { type Sleep, unlessAborted } from "./deadline.ts";

/** Queues of requests, one per host. */
export interface HostPauses {
  /**
   * Waits until the host is free and the pause since the start of its last request is over. Returns
   * the function that frees the host. Only the first call of that function has an effect.
   * @throws the signal's reason
   */
  take(host: string, pause_milliseconds: number, signal: AbortSignal): Promise<() => void>;
}

interface HostQueue {
  /** Settles when the last request in the queue is done. */
  last: Promise<void>;
  /** Number of requests that wait or are under way. */
  waiting: number;
  /** Start of the last request, in milliseconds since the epoch. */
  started: number;
}

/**
 * Max number of remembered hosts, unless more are in use. Forgetting a host skips at most one
 * pause.
 */
const HOSTS_REMEMBERED = 1_000;

/** Creates empty queues. */
export function createHostPauses({ now, sleep }: { now: () => Date; sleep: Sleep }): HostPauses {
  const queues = new Map<string, HostQueue>();
  return {
    async take(host, pause_milliseconds, signal) {
      const queue = queues.get(host) ?? { last: Promise.resolve(), waiting: 0, started: -Infinity };
      queues.delete(host);
      queues.set(host, queue);
      const { promise: done, resolve } = Promise.withResolvers<void>();
      const before = queue.last;
      queue.last = before.then(() => done);
      queue.waiting++;
      let ended = false;
      const end = () => {
        if (ended) return;
        ended = true;
        queue.waiting--;
        resolve();
        forget(queues);
      };
      try {
        await unlessAborted(before, signal);
        const pause = queue.started + pause_milliseconds - now().getTime();
        if (pause > 0) await sleep(pause, signal);
      } catch (error) {
        end();
        throw error;
      }
      queue.started = now().getTime();
      return end;
    },
  };
}

/** Forgets the least recently requested hosts that are free, until HOSTS_REMEMBERED are left. */
function forget(queues: Map<string, HostQueue>): void {
  if (queues.size <= HOSTS_REMEMBERED) return;
  for (const [host, { waiting }] of queues) {
    if (waiting === 0) queues.delete(host);
    if (queues.size <= HOSTS_REMEMBERED) return;
  }
}
