/** Exclusions of a query, settled by what it does want. */
import { isFiller } from "./filler.ts";
import { formsOf } from "./same_stem.ts";

/**
 * Returns exclusions without filler words ("catering companies" is about catering). An exclusion
 * whose words are all wanted as well is dropped: "snow plows, not snow" is about snow.
 *
 * @param wanted content words of the query
 */
export function settledExclusions(
  excluded: readonly (readonly string[])[],
  wanted: readonly string[],
): string[][] {
  const isWanted = formsOf(wanted);
  return excluded.map(withoutFiller)
    .filter((words) => !words.every(isWanted));
}

function withoutFiller(words: readonly string[]): string[] {
  const telling = words.filter((word, place) => !isFiller(word, place));
  return telling.length > 0 ? telling : [...words];
}
