/**
 * Measures how work grows with its input, by ratios that do not depend on the speed of the machine.
 */

const ROUNDS = 4;
const ATTEMPTS = 4;

type Work = () => unknown;

/**
 * Compares work on a large input with the same work on `times` inputs of 1/`times` of its size.
 * Linear work gives about 1. Quadratic work gives `times`.
 *
 * @returns the ratio of the shortest times of several alternating runs
 */
async function growthOf(small: Work, large: Work, times: number): Promise<number> {
  const repeated = async () => {
    for (let count = 0; count < times; count++) await small();
  };
  let inParts = Infinity;
  let whole = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    inParts = Math.min(inParts, await timeOf(repeated));
    whole = Math.min(whole, await timeOf(large));
  }
  return whole / inParts;
}

/** Returns whether work is far from quadratic in one of a few comparisons (see growthOf). */
export async function isLinear(small: Work, large: Work, times: number): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await growthOf(small, large, times) < times / 2) return true;
  }
  return false;
}

/**
 * Returns the milliseconds that work takes. CPU time is not used, because its resolution is too
 * low.
 */
export async function timeOf(work: Work): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns whether a timer fires during work. If so, the work does not block the event loop. */
export async function isSliced(work: () => Promise<unknown>): Promise<boolean> {
  let fired = false;
  const timer = setTimeout(() => fired = true);
  await work();
  clearTimeout(timer);
  return fired;
}
