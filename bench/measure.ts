/** Orders and summarizes measured times. */
import { Random } from "./random.ts";

/**
 * Returns a percentile by nearest rank.
 *
 * @param sorted values, ascending, at least one
 * @param share 0 to 1
 */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
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
