/**
 * Phrases that name kinds of observations and whole sectors of NAICS 2022, from kinds_and_sectors.tsv.
 * Every record of a kind or sector matches a query with such a phrase, whatever words the record
 * contains. Narrower words than those for a sector, such as "janitorial" or "museums", are searched
 * for, because not every record of the sector is about them.
 */
import { KINDS, SECTOR_CODES } from "../../contract/vocabulary.ts";
import { patternsOf, readPatterns } from "../facets/patterns.ts";
import table from "./kinds_and_sectors.tsv" with { type: "text" };

/** Pattern of nouns for places that are more specific than "facility". */
export const PLACE_NOUN = new RegExp(
  "^(?:plants?|factor(?:y|ies)|warehouses?|stores?|shops?|branch(?:es)?|hotels?|restaurants?|" +
    "campus(?:es)?|mines?|depots?|usines?|fabriques?|entrepots?|magasins?|boutiques?|succursales?)$",
);

const PATTERNS = patternsOf(readPatterns(table));

/** Patterns of phrases that name kinds. */
export const KIND_PATTERNS = PATTERNS.map(([names, pattern]) => ({
  kinds: KINDS.filter((kind) => names.split(" ").includes(kind)),
  pattern,
})).filter(({ kinds }) => kinds.length > 0);

/** Patterns of phrases that name a sector as a whole. */
export const SECTOR_PATTERNS = SECTOR_CODES.flatMap((sector) =>
  PATTERNS.flatMap(([name, pattern]) => name === sector ? [{ sector, pattern }] : [])
);
