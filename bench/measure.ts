/** Measures times and memory. */
import type { Query } from "./queries.ts";
import { Random } from "./random.ts";

/** Number of results per search. It is the number of entries of a shortlist of the service. */
export const LIMIT = 100;

/**
 * Returns a percentile by nearest rank.
 *
 * @param sorted values, ascending, at least one
 * @param share 0 to 1
 */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

/** Max number of garbage collections. A buffer is freed by a later collection than its object. */
const COLLECTIONS_MAX = 5;

/**
 * Returns the bytes of this isolate's heap and array buffers, after collecting garbage. Shared
 * buffers are not included.
 */
export function heldBytes(): number {
  // V8 defines `gc` if it is started with --expose-gc (see child.ts).
  const { gc } = globalThis as { gc?: () => void };
  let bytes = Infinity;
  for (let collection = 0; collection < COLLECTIONS_MAX; collection++) {
    gc?.();
    const { heapUsed, external } = Deno.memoryUsage();
    const before = bytes;
    bytes = heapUsed + external;
    if (bytes > 0.999 * before) break;
  }
  return bytes;
}

/** A contender: an engine, or one of its kinds of searches. */
export interface Searcher {
  search(query: Query, limit: number): unknown;
}

/** Number of samples per searcher. */
export interface Effort {
  /** Min number of samples, even if they take longer than `budget`. */
  min: number;
  /** Max number of samples. */
  max: number;
  /** Milliseconds after which a searcher gets no more than `min` samples. */
  budget: number;
}

const WARM_UP_SHARE = 0.2;
const SEED = 7;

/**
 * Times queries by every searcher. The searchers take turns, so that other load of the machine
 * affects all of them. A warm-up with a fifth of the effort comes first, and is not measured.
 *
 * @returns milliseconds of each searcher, ascending
 */
export async function timeInTurns(
  searchers: readonly Searcher[],
  queries: readonly Query[],
  effort: Effort,
): Promise<number[][]> {
  await takeTurns(searchers, queries, {
    min: Math.floor(effort.min * WARM_UP_SHARE),
    max: Math.floor(effort.max * WARM_UP_SHARE),
    budget: effort.budget * WARM_UP_SHARE,
  });
  return await takeTurns(searchers, queries, effort);
}

async function takeTurns(
  searchers: readonly Searcher[],
  queries: readonly Query[],
  { min, max, budget }: Effort,
): Promise<number[][]> {
  const runs = searchers.map((searcher) => ({ searcher, samples: [] as number[], left: budget }));
  const random = new Random(SEED);
  for (let turn = 0; turn < max; turn++) {
    const query = queries[turn % queries.length]!;
    const active = runs.filter(({ left }) => left > 0 || turn < min);
    // In random order, no searcher consistently profits from caches that another one has warmed.
    for (const run of shuffled(active, random)) {
      const taken = await timeOne(run.searcher, query);
      run.samples.push(taken);
      run.left -= taken;
    }
  }
  return runs.map(({ samples }) => samples.sort((a, b) => a - b));
}

/** Returns the items in random order (Fisher-Yates). */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = items.slice();
  for (let n = order.length - 1; n > 0; n--) {
    const target = random.below(n + 1);
    [order[n], order[target]] = [order[target]!, order[n]!];
  }
  return order;
}

async function timeOne(searcher: Searcher, query: Query): Promise<number> {
  const start = performance.now();
  const result = searcher.search(query, LIMIT);
  if (result instanceof Promise) await result;
  return performance.now() - start;
}
