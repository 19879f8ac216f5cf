/** The loop around a step of background work. */
import { errorFields, type Log } from "../log.ts";

export interface Pace {
  /** After a step that found nothing to do. */
  pauseMs: number;
  /** Its `ring` ends a pause. */
  bell?: EventTarget;
  signal: AbortSignal;
}

/** After an error, typically of the database: it should not be hammered while it restarts. */
const BACK_OFF_MS = 1_000;

/**
 * Runs `step` until the signal; pauses where it found nothing to do, longer where it failed. A step
 * answers whether there may be more to do.
 */
export async function repeat(
  log: Log,
  step: () => Promise<boolean>,
  { pauseMs, bell = new EventTarget(), signal }: Pace,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await step()) continue;
      await pause(pauseMs, bell, signal);
    } catch (error) {
      log.warn("background loop backs off", errorFields(error));
      await pause(BACK_OFF_MS, bell, signal);
    }
  }
}

function pause(ms: number, bell: EventTarget, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      bell.removeEventListener("ring", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    bell.addEventListener("ring", done);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
