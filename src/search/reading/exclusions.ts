/** Exclusions of a query: places and rounds ("not in California"), and words. */
import { isFiller } from "./filler.ts";
import { findNegations } from "./negation.ts";
import { Reading } from "./passages.ts";
import { readPlaces } from "./places.ts";
import { readRounds } from "./rounds.ts";
import { formsOf } from "./same_stem.ts";

/**
 * Reads the places and rounds right behind a negation as facet terms, and excludes their words. The
 * words behind them are wanted again: "not in California biotech".
 */
export function readExcludedFacets(reading: Reading): string[] {
  const excluded: string[] = [];
  for (const { start, end } of findNegations(reading)) {
    let at = start;
    for (const match of reading.query.slice(start, end).matchAll(OBJECTS)) {
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

/** Characters behind a negation in which the letter of a round may stand: "Series A". */
const ROUND_LETTER = 3;

/** Pattern of what stands before an object of a negation. */
const OBJECTS =
  /(?:^|\s)(?:or|nor|ni|ou|and|et)\s+(?:in\s+|the\s+)?|^.*?(?:in|en|au|aux|dans|except(?:\s+for)?|excluding|exclude|than|from|not|without|sauf|hormis|excepte|excluant|pas|sans)[\s',:]+(?:the\s+|les?\s+|la\s+|in\s+|en\s+|au\s+)*/giu;

/**
 * Returns exclusions without filler words: "catering companies" excludes catering. Drops an
 * exclusion if the query also wants all of its words: "snow plows, not snow" is about snow.
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
