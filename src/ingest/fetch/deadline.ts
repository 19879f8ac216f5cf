/** Time limit of a whole fetch, and waits that end at the limit. */
import { pause } from "../../repeat.ts";
import { FetchFailure } from "./failure.ts";

/** Deadline of a fetch. */
export interface Deadline {
  /**
   * Aborts when the time is over (FetchFailure timeout) or the caller's signal aborts (its reason).
   */
  signal: AbortSignal;
  /** Returns the milliseconds that are left. */
  left(): number;
  /** Stops the timer and aborts everything that still listens to the signal. */
  close(): void;
}

/** Waits. Throws the signal's reason if it aborts first. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Starts the timer of a deadline. The caller must close the deadline. */
export function openDeadline(
  milliseconds: number,
  { host, signal }: { host: string; signal?: AbortSignal },
): Deadline {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const end = performance.now() + milliseconds;
  const late = () => new FetchFailure("timeout", `${host}: not done in time`, { temporary: true });
  const timer = setTimeout(() => controller.abort(late()), milliseconds);
  return {
    signal: AbortSignal.any([controller.signal, ...signal === undefined ? [] : [signal]]),
    left: () => end - performance.now(),
    close() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}

/** Returns the promise's value. @throws the signal's reason if it aborts first */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Waits. @throws the signal's reason if it aborts first */
export const sleepFor: Sleep = async (milliseconds, signal) => {
  await pause(milliseconds, signal);
  signal.throwIfAborted();
};
