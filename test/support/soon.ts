/** Duration of synchronous work on a machine that may stand still in the middle of it. */
import assert from "node:assert/strict";

/** A machine that stands still does not do so every time. */
const RUNS = 5;

/**
 * Asserts that the work, which is done again only where that took longer, can be done in less than so
 * many milliseconds.
 *
 * @returns what the work gives
 */
export function soon<Value>(milliseconds: number, work: () => Value): Value {
  for (let run = 1;; run++) {
    const start = performance.now();
    const value = work();
    const taken = performance.now() - start;
    if (taken < milliseconds) return value;
    assert.ok(run < RUNS, `${taken} ms, and no less in ${RUNS} runs`);
  }
}
