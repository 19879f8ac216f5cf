/** Repeats a step of background work. */
import { errorFields, type Log } from "./log.ts";

/** Timing of a repeated step. */
export interface Pace {
  /** Milliseconds of pause after a step that found nothing to do. */
  pauseMs: number;
  signal: AbortSignal;
  /** Name of the loop in the log. */
  name: string;
}

/**
 * Milliseconds of back-off after an error, so that work resumes within 5 seconds after a restart of
 * the database. The number is chosen, not measured.
 */
const BACK_OFF_MS = 2_000;

/**
 * Runs `step` until the signal aborts. Pauses after a step that found nothing to do, and backs off
 * after a step that failed. A step returns true if there may be more to do.
 */
export async function repeat(
  log: Log,
  step: () => Promise<boolean | void>,
  { pauseMs, signal, name }: Pace,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!await step()) await pause(pauseMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn("background loop backs off", { loop: name, ...errorFields(error) });
      await pause(BACK_OFF_MS, signal);
    }
  }
}

/** Resolves after the time, or earlier when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}

/** Resolves with a promise, or earlier after the time. */
export async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  try {
    await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds for which `forOneSecond` repeats an answer. */
const SECOND_MILLISECONDS = 1_000;

/**
 * Returns a function that repeats an answer for a second, and an error too. `/readyz` needs no key,
 * so its callers must not cause statements without a limit.
 * @param now milliseconds of a monotonic clock
 */
export function forOneSecond<Answer>(
  ask: () => Promise<Answer>,
  now: () => number = () => performance.now(),
): () => Promise<Answer> {
  let latest: { answer: Promise<Answer>; asked: number } | undefined;
  return () => {
    const asked = now();
    if (latest === undefined || asked - latest.asked >= SECOND_MILLISECONDS) {
      latest = { answer: ask(), asked };
    }
    return latest.answer;
  };
}
