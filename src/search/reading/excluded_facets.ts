/** Places and rounds that a query does not want: "not in California", "except Series A". */
import { findNegations } from "./negation.ts";
import { Reading } from "./passages.ts";
import { readPlaces } from "./places.ts";
import { readRounds } from "./rounds.ts";

/**
 * Reads the facets right behind a negation, as facet terms, and excludes their words. What follows
 * them is wanted again: "not in California biotech".
 */
export function readExcludedFacets(reading: Reading): string[] {
  const excluded: string[] = [];
  for (const { start, end } of findNegations(reading)) {
    let at = start;
    for (const part of partsOf(reading.query.slice(start, end))) {
      const inner = new Reading(reading.query.slice(start + part.start, end + ROUND_LETTER));
      const place = readPlaces(inner).find((mention) => mention.start === 0);
      const rounds = place === undefined ? readRounds(inner, true) : [];
      const terms = place?.any ?? (isReadAtStart(inner) ? rounds : []);
      if (terms.length === 0) break;
      excluded.push(...terms);
      at = start + part.start + (place?.end ?? readLength(inner));
    }
    if (at > start) reading.exclude({ start, end: at });
  }
  return [...new Set(excluded)];
}

/** Characters behind a negation that may hold the letter of a round: "Series A". */
const ROUND_LETTER = 3;

const OBJECTS =
  /(?:^|\s)(?:or|nor|ni|ou|and|et)\s+(?:in\s+|the\s+)?|^.*?(?:in|en|au|aux|dans|except(?:\s+for)?|excluding|exclude|than|from|not|without|sauf|hormis|excepte|excluant|pas|sans)[\s',:]+(?:the\s+|les?\s+|la\s+|in\s+|en\s+|au\s+)*/giu;

/** Returns where the objects of a negation begin. */
function partsOf(text: string): { start: number }[] {
  return [...text.matchAll(OBJECTS)].map((match) => ({ start: match.index + match[0].length }));
}

function isReadAtStart({ kept }: Reading): boolean {
  return kept.startsWith(" ");
}

function readLength({ kept }: Reading): number {
  return kept.length - kept.trimStart().length;
}
