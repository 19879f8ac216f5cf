/** Statistics of a whole dataset, for an index of only a few of its documents. */
import type { Key } from "./dictionary.ts";
import type { Totals } from "./scoring.ts";

/**
 * Statistics of a whole dataset. An index that has them scores its documents as an index of all
 * documents would.
 */
export interface WholeDataset {
  readonly totals: Totals;
  /** Counts the documents that hold a term. */
  frequency(key: Key): number;
  /** Returns the companies of the unexpired documents that hold a term. */
  companiesHolding(key: Key): Iterable<number>;
}
