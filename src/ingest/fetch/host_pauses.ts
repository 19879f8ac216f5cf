/** One request at a time to a host, with a pause between the starts of two. */
import { type Sleep, unlessAborted } from "./deadline.ts";

export interface HostPauses {
  /**
   * Waits until the host is free and the pause since its last start is over.
   * @returns what ends the turn; calling it again does nothing
   * @throws the signal's reason
   */
  take(host: string, pause_milliseconds: number, signal: AbortSignal): Promise<() => void>;
}

interface HostQueue {
  /** Settles when whoever came last is done. */
  last: Promise<void>;
  waiting: number;
  /** Milliseconds of the epoch. */
  started: number;
}

/** Max number of remembered hosts, unless more are in use. Forgetting one skips at most one pause. */
const HOSTS_REMEMBERED = 1_000;

export function createHostPauses({ now, sleep }: { now: () => Date; sleep: Sleep }): HostPauses {
  const lines = new Map<string, HostQueue>();
  return {
    async take(host, pause_milliseconds, signal) {
      const line = lines.get(host) ?? { last: Promise.resolve(), waiting: 0, started: -Infinity };
      lines.delete(host);
      lines.set(host, line);
      const { promise: done, resolve } = Promise.withResolvers<void>();
      const before = line.last;
      line.last = before.then(() => done);
      line.waiting++;
      let ended = false;
      const end = () => {
        if (ended) return;
        ended = true;
        line.waiting--;
        resolve();
        forget(lines);
      };
      try {
        await unlessAborted(before, signal);
        const pause = line.started + pause_milliseconds - now().getTime();
        if (pause > 0) await sleep(pause, signal);
      } catch (error) {
        end();
        throw error;
      }
      line.started = now().getTime();
      return end;
    },
  };
}

/** Drops the longest unasked. */
function forget(lines: Map<string, HostQueue>): void {
  if (lines.size <= HOSTS_REMEMBERED) return;
  for (const [host, { waiting }] of lines) {
    if (waiting === 0) lines.delete(host);
    if (lines.size <= HOSTS_REMEMBERED) return;
  }
}
