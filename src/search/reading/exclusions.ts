/** Reads the exclusions of a query: places and rounds ("not in California"), and words. */
import { isFiller } from "./filler.ts";
import { findNegations } from "./negation.ts";
import { Reading } from "./passages.ts";
import { readPlaces } from "./places.ts";
import { readRounds } from "./rounds.ts";
import { formsOf } from "./same_stem.ts";

/**
 * Reads the places and rounds right after a negation as facet terms, and excludes their words. Any
 * words after them are wanted: "biotech" in "not in California biotech".
 */
export function readExcludedFacets(reading: Reading): string[] {
  const excluded: string[] = [];
  for (const { start, end } of findNegations(reading)) {
    let at = start;
    for (const match of reading.query.slice(start, end).matchAll(BEFORE_OBJECT)) {
      const from = start + match.index + match[0].length;
      const inner = new Reading(reading.query.slice(from, end + ROUND_LETTER));
      const place = readPlaces(inner).find((mention) => mention.start === 0);
      const rounds = place === undefined ? readRounds(inner, true) : [];
      const dropped = inner.kept.length - inner.kept.trimStart().length;
      const terms = place?.any ?? (dropped > 0 ? rounds : []);
      if (terms.length === 0) break;
      excluded.push(...terms);
      at = from + (place?.end ?? dropped);
    }
    if (at > start) reading.exclude({ start, end: at });
  }
  return [...new Set(excluded)];
}

/**
 * Number of characters after a negation that are also read, because findNegations() may leave out
 * the letter of a round: the "A" of "Series A".
 */
const ROUND_LETTER = 3;

/** Pattern of the words before an object of a negation. */
const BEFORE_OBJECT =
  /(?:^|\s)(?:or|nor|ni|ou|and|et)\s+(?:in\s+|the\s+)?|^.*?(?:in|en|au|aux|dans|except(?:\s+for)?|excluding|exclude|than|from|not|without|sauf|hormis|excepte|excluant|pas|sans)[\s',:]+(?:the\s+|les?\s+|la\s+|in\s+|en\s+|au\s+)*/giu;

/**
 * Removes filler words from exclusions: "not catering companies" excludes catering. Drops an
 * exclusion if the query also wants all of its words: "snow plows, not snow" is about snow.
 *
 * @param wanted content words of the query
 */
export function keptExclusions(
  excluded: readonly (readonly string[])[],
  wanted: readonly string[],
): string[][] {
  const isWanted = formsOf(wanted);
  return excluded.map(withoutFiller)
    .filter((words) => !words.every(isWanted));
}

function withoutFiller(words: readonly string[]): string[] {
  const content = words.filter((word, place) => !isFiller(word, place));
  return content.length > 0 ? content : [...words];
}
