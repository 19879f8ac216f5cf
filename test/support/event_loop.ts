/** Measures for how long work blocks the event loop. */
import assert from "node:assert/strict";
import process from "node:process";

/** Max milliseconds for which any text of a caller or a source may block the event loop. */
const BLOCKED_MILLISECONDS = 50;
/** Max number of runs. A garbage collection can delay some of them, but not all. */
const RUNS = 6;

/**
 * Returns the max milliseconds of a turn of the event loop during the work. A turn counts with its
 * CPU time if that is shorter, so that other load of the machine does not matter. It is the time of
 * the thread, because other modules of tests run in the same process. Linux counts it in steps of
 * 10 ms.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let used = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(used);
    longest = Math.max(longest, Math.min(performance.now() - last, (user + system) / 1_000));
    last = performance.now();
    used = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return longest;
}

/** Checks that at least one of several runs of the work never blocks the event loop for long. */
export async function assertNeverBlocks(name: string, work: () => Promise<unknown>): Promise<void> {
  const blocks: number[] = [];
  while (blocks.length < RUNS) {
    blocks.push(await longestBlock(work));
    if (blocks.at(-1)! < BLOCKED_MILLISECONDS) return;
  }
  assert.fail(`${name} blocks for ${blocks.map(Math.round)} ms`);
}
