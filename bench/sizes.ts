/** Sizes of the corpora of the search benches. */

/**
 * SEARCH_BENCH_DOCUMENTS sets the largest, a million by default, and the others with it: 50,000 make
 * a run that takes a minute. The floors are those of the default.
 */
export const LARGEST = Number(Deno.env.get("SEARCH_BENCH_DOCUMENTS") ?? 1_000_000);
if (!(LARGEST >= 50_000)) throw new Error("SEARCH_BENCH_DOCUMENTS: a number from 50000 on");

/** Numbers of documents. */
export const SIZES = {
  largest: LARGEST,
  large: LARGEST / 5,
  middle: LARGEST / 20,
  small: LARGEST / 100,
};

/** "50k", "1M". */
export function sizeName(documents: number): string {
  return documents >= 1_000_000 ? `${documents / 1_000_000}M` : `${documents / 1_000}k`;
}
