/** Times and bytes, the same way in every bench. */
import type { Query } from "./queries.ts";
import { Random } from "./random.ts";

/** Results per search: as many as a shortlist of the service has entries. */
export const LIMIT = 100;

/** @param sorted ascending, not empty @param share from 0 to 1; by nearest rank */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

/** Buffers go some time after the objects that held them. */
const COLLECTIONS_MAX = 5;

/** Bytes held by this isolate after collecting garbage: heap and array buffers, not shared ones. */
export function heldBytes(): number {
  // Offered by V8 where it is started with --expose-gc (see child.ts).
  const { gc } = globalThis as { gc?: () => void };
  let held = Infinity;
  for (let collection = 0; collection < COLLECTIONS_MAX; collection++) {
    gc?.();
    const { heapUsed, external } = Deno.memoryUsage();
    const before = held;
    held = heapUsed + external;
    if (held > 0.999 * before) break;
  }
  return held;
}

/** A contender: an engine, or another way to ask one. */
export interface Searcher {
  search(query: Query, limit: number): unknown;
}

export interface Effort {
  /** Min number of samples of each searcher, however slow. */
  least: number;
  /** Max number of samples, while they have taken fewer milliseconds than `budget`. */
  most: number;
  budget: number;
}

const WARM_UP_SHARE = 0.2;
const SEED = 7;

/**
 * Asks every searcher the queries in turns, so that whatever else the machine does falls on all alike.
 * Warm: a fifth of the effort goes before, uncounted.
 *
 * @returns by searcher: milliseconds, ascending
 */
export async function timeInTurns(
  searchers: readonly Searcher[],
  queries: readonly Query[],
  effort: Effort,
): Promise<number[][]> {
  await takeTurns(searchers, queries, {
    least: Math.floor(effort.least * WARM_UP_SHARE),
    most: Math.floor(effort.most * WARM_UP_SHARE),
    budget: effort.budget * WARM_UP_SHARE,
  });
  return await takeTurns(searchers, queries, effort);
}

async function takeTurns(
  searchers: readonly Searcher[],
  queries: readonly Query[],
  { least, most, budget }: Effort,
): Promise<number[][]> {
  const runs = searchers.map((searcher) => ({ searcher, samples: [] as number[], left: budget }));
  const random = new Random(SEED);
  for (let turn = 0; turn < most; turn++) {
    const query = queries[turn % queries.length]!;
    const able = runs.filter(({ left }) => left > 0 || turn < least);
    // Who comes after a relative finds what they both read at hand: nobody always has the same neighbour.
    for (const run of shuffled(able, random)) {
      const taken = await timeOne(run.searcher, query);
      run.samples.push(taken);
      run.left -= taken;
    }
  }
  return runs.map(({ samples }) => samples.sort((a, b) => a - b));
}

/** Returns an order in which everyone comes after everyone else alike. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = items.slice();
  for (let n = order.length - 1; n > 0; n--) {
    const other = random.below(n + 1);
    [order[n], order[other]] = [order[other]!, order[n]!];
  }
  return order;
}

async function timeOne(searcher: Searcher, query: Query): Promise<number> {
  const start = performance.now();
  const found = searcher.search(query, LIMIT);
  if (found instanceof Promise) await found;
  return performance.now() - start;
}
