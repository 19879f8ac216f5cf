/** Counts of the documents that were taken out of a segment. */

/** What the documents that were taken out had. */
export interface Losses {
  documents: number;
  /** By term: how many of them held it. */
  terms: Uint16Array;
  /** What is left: see Totals. */
  totals: Float64Array;
}
