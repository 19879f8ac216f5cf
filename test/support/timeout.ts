/** Time-outs that begin when a test says so. */

const MILLISECONDS = 100;

/**
 * Makes signals of AbortSignal.timeout() abort a moment after `begun`, until the end of the block.
 * However long the machine takes until then, it is not what is late.
 */
export function timeBeginsAt(begun: Promise<void>): Disposable {
  const { timeout } = AbortSignal;
  AbortSignal.timeout = () => {
    const ending = new AbortController();
    const late = new DOMException("Signal timed out.", "TimeoutError");
    begun.then(() => setTimeout(() => ending.abort(late), MILLISECONDS));
    return ending.signal;
  };
  return { [Symbol.dispose]: () => void (AbortSignal.timeout = timeout) };
}
