/** Asserts the duration of synchronous work on a machine that may pause at any time. */
import assert from "node:assert/strict";

/** Max number of runs. A pause of the machine does not delay all of them. */
const RUNS = 5;

/**
 * Asserts that work takes less than a number of milliseconds. Slow work is repeated up to RUNS
 * times.
 *
 * @returns the result of the work
 */
export function soon<Value>(milliseconds: number, work: () => Value): Value {
  for (let run = 1;; run++) {
    const start = performance.now();
    const value = work();
    const taken = performance.now() - start;
    if (taken < milliseconds) return value;
    assert.ok(run < RUNS, `${taken} ms, and never below ${milliseconds} ms in ${RUNS} runs`);
  }
}
