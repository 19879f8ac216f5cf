/** Sizes of the corpora of the search benches. */

/**
 * Number of documents of the largest corpus, from which all other sizes derive. It is
 * SEARCH_BENCH_DOCUMENTS, or a million by default. With 50,000, a run takes a minute. The floors
 * apply to the default.
 */
export const LARGEST = Number(Deno.env.get("SEARCH_BENCH_DOCUMENTS") ?? 1_000_000);
if (!(LARGEST >= 50_000)) throw new Error("SEARCH_BENCH_DOCUMENTS must be at least 50000");

/** Number of documents of each size. */
export const SIZES = {
  largest: LARGEST,
  large: LARGEST / 5,
  middle: LARGEST / 20,
  small: LARGEST / 100,
};

/** Formats a number of documents as "50k" or "1M". */
export function sizeName(documents: number): string {
  return documents >= 1_000_000 ? `${documents / 1_000_000}M` : `${documents / 1_000}k`;
}
