/** Replaces time-outs by ones that start when the test decides. */

/** Milliseconds of each time-out. */
const MILLISECONDS = 100;

/**
 * Replaces AbortSignal.timeout() until the end of the block. Its signals abort 100 ms after `begun`
 * has resolved. Thus a slow machine does not cause a time-out before that.
 */
export function startTimeoutsAt(begun: Promise<void>): Disposable {
  const { timeout } = AbortSignal;
  AbortSignal.timeout = () => {
    const controller = new AbortController();
    const late = new DOMException("Signal timed out.", "TimeoutError");
    begun.then(() => setTimeout(() => controller.abort(late), MILLISECONDS));
    return controller.signal;
  };
  return { [Symbol.dispose]: () => void (AbortSignal.timeout = timeout) };
}
