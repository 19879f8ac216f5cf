/**
 * Reads the names of the demo, words.txt: places, parts of company names, investors, lenders and
 * hostnames of newspapers.
 */
import type { Country } from "../contract/vocabulary.ts";
import { wordLists } from "../ingest/text/word_lists.ts";
import table from "./words.txt" with { type: "text" };

/** A city of the demo. */
export interface DemoPlace {
  city: string;
  region: string;
  country: Country;
}

const LISTS = wordLists(table, /;\s+/);

/** Canadian cities outside of Quebec. */
export const CANADIAN_PLACES = placesOf("CA", LISTS.canadian_places!);
export const QUEBEC_PLACES = placesOf("CA", LISTS.quebec_places!);
export const AMERICAN_PLACES = placesOf("US", LISTS.american_places!);

function placesOf(country: Country, entries: readonly string[]): DemoPlace[] {
  return entries.map((entry) => {
    const [city, region] = entry.split(", ") as [string, string];
    return { city, region, country };
  });
}

/** First parts of English company names. */
export const STEMS = LISTS.stems!;

/** Last parts of French company names. */
export const FRENCH_STEMS = LISTS.french_stems!;

/** Returns names around a company by its country. Companies of Quebec use `fr`. */
export function namesAround(
  area: "fr" | Country,
  kind: "investors" | "lenders" | "press",
): readonly string[] {
  return LISTS[`${area}_${kind}`]!;
}
