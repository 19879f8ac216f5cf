/** Growth of work on hostile input, in measures that a slow machine does not change. */
const ROUNDS = 4;
const ATTEMPTS = 4;

type Work = () => unknown;

/**
 * Compares work on one input with the same work on `times` inputs, each so many times smaller.
 * Linear work gives about 1, quadratic work gives `times`.
 *
 * @returns the ratio by the best of several alternating runs
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

/** Returns whether one of a few comparisons shows work to be far from quadratic (see growthOf). */
export async function isLinear(small: Work, large: Work, times: number): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await growthOf(small, large, times) < times / 2) return true;
  }
  return false;
}

/** Returns how long work takes, in milliseconds. Processor time is counted too coarsely for this. */
export async function timeOf(work: Work): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns whether a timer comes up while work is done that waits for nothing else. */
export async function isSliced(work: () => Promise<unknown>): Promise<boolean> {
  let came = false;
  const timer = setTimeout(() => came = true);
  await work();
  clearTimeout(timer);
  return came;
}
