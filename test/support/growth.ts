/** How the time of some work grows with its input: a ratio, which a slow machine does not change. */

const ROUNDS = 7;

type Work = () => unknown;

/** Returns how many times longer the larger work takes, by the best of several alternating runs. */
export async function growthOf(small: Work, large: Work): Promise<number> {
  let shortest = Infinity;
  let longest = Infinity;
  await large();
  for (let round = 0; round < ROUNDS; round++) {
    shortest = Math.min(shortest, await timeOf(small));
    longest = Math.min(longest, await timeOf(large));
  }
  return longest / shortest;
}

async function timeOf(work: Work): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
