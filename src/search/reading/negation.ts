/** Negations of a query: "not construction", "sauf les traiteurs". */
import { anyOf, type Passage, type Reading } from "./passages.ts";

/** Phrases that are always negations. */
const STRONG =
  "except(?: for)?; excluding; exclude; other than; apart from; but not; but no; sauf(?: pour| dans)?; excepte; hormis; " +
  "a l exception d(?:e|es|u)?; a l exclusion d(?:e|es|u)?; excluant; mais pas; autres? que";
/**
 * Patterns of negations that do not count behind an auxiliary: "construction has not started",
 * "with or without".
 */
const WEAK = "not; without; sans; pas (?:de|des|d|en|dans|au|aux|du)";
const AUXILIARY =
  "is|are|was|were|be|been|do|does|did|has|have|had|can|could|may|might|will|would|should|must|or|ou|" +
  "whether|if|et|and|avec|with|est|sont|ont|a|peut|peuvent|doit|doivent";
const SETTLED = "in|en|dans|based|au|aux";

/**
 * Pattern of words that are no object of a negation. Some form an expression with "sans" or
 * "without". The others tell of deeds, not of things.
 */
const NO_OBJECT = new RegExp(
  anyOf(
    "fil; plomb; frais; contact; abris?; gluten; papier; papiers; couture; tranchee; arret; doute; emploi; limites?",
    "frontieres?; alcool; sucre; sel; lactose; noms?; soucis?; alcohol; sugar",
    "borders; limits?; delay; interruption; cost; notice; being; having; using; needing",
    "yet; only; just; necessarily; all; be; been; available; known; sure; able; required; including; encore",
    "(?!united)[a-z]+ed; profit; to",
  ),
  "uy",
);

/** Pattern of what stands between the negation and what it excludes. */
const OPENING =
  "(?:(?:in|for|from|at|any|its|their|the|a|an|those|ones|that|are|is|companies|firms|based|de|du|des|d|la|le|les|l|en|dans|" +
  "au|aux|pour|celles|ceux|un|une|entreprises|compagnies|societes)[\\s']+){0,4}";
/** Pattern of the words that end a negation, as punctuation does. */
const END =
  "(?:in|for|from|since|but|that|which|who|with|to|on|over|within|during|en|dans|depuis|mais|qui|avec|pour|au|aux|chez|" +
  "and|or|nor|ni|et|ou|not|sans|except|sauf|" + `${AUXILIARY})`;
const WORD = `(?!${END}(?![\\p{L}\\p{N}]))[\\p{L}\\p{N}&-]+`;
const GLUE = "(?:[\\s'-]+(?:of|de|des|du|d|la|le|les|l)){0,2}[\\s'-]+";
const OBJECT = `${WORD}(?:${GLUE}${WORD}){0,2}`;
const MORE = `(?:\\s+(?:or|nor|ni|ou|and|et)\\s+${OPENING}(${OBJECT}))?`;

const NEGATION = new RegExp(
  `(?:(?:${anyOf(STRONG)})|(?<!(?<![\\p{L}\\p{N}])(?:${AUXILIARY})\\s+)(?:${anyOf(WEAK)})|` +
    `${anyOf("not")}(?=\\s+(?:${SETTLED})\\s))[\\s',:]+${OPENING}(${OBJECT})${MORE}`,
  "gu",
);

/** Pattern of a negation right before a quotation or hostname that is not wanted. */
const BEFORE_QUOTED = new RegExp(
  `(?:${anyOf(STRONG)}|(?<!(?<![\\p{L}\\p{N}])(?:${AUXILIARY})\\s+)(?:${anyOf(WEAK)}))` +
    `[\\s',:]+${OPENING}$`,
  "u",
);

/**
 * Pattern of an auxiliary behind the object. "Mice without teeth are hungry" tells something, but a
 * query only names what it wants.
 */
const TELLS = new RegExp(`^\\s+(?:${AUXILIARY})(?![\\p{L}\\p{N}])`, "u");

/**
 * Pattern of an object that ends in "series". In "except Series A", the letter behind it is no
 * verb.
 */
const SERIES = /(?:^|\s)series?$/;

/**
 * Pattern of the beginning of a query that may be a name: Sans Souci, Pas de Calais, Without Walls,
 * Not Impossible.
 */
const NAME = /^\s*(?:(?:[Ss]ans|SANS|[Pp]as|[Ww]ithout)[\s'-]|Not\s+\p{Lu}\p{Ll})/u;

/**
 * Pattern of a negation beyond doubt: "except X", "not in X". By contrast, "without ERP" may tell a
 * need, and "not your average" a name.
 */
const CERTAIN = new RegExp(`^(?:${anyOf(STRONG)}|${anyOf("not")}\\s+(?:${SETTLED})\\s)`, "u");

/** Pattern of the letters that each negation needs. Most queries have none of them. */
const MAY_NEGATE = /not|without|sans|pas|exce|exclu|other|apart|but|sauf|hormis|autre/;

/** Returns the negations of a query. Each group of a passage is an excluded object. */
export function findNegations(reading: Reading): Passage[] {
  if (!MAY_NEGATE.test(reading.rest)) return [];
  return reading.find(NEGATION).filter(({ start, end, groups: [object] }) => {
    NO_OBJECT.lastIndex = 0;
    return !NO_OBJECT.test(object!) &&
      (SERIES.test(object!) || !TELLS.test(reading.rest.slice(end))) &&
      !/^Sans\s+\p{Lu}\p{Ll}/u.test(reading.query.slice(start));
  });
}

/** Returns whether a passage may be the name that the query begins with. */
export function mayBeName({ query }: Reading, { start }: Passage): boolean {
  return NAME.test(query) && query.slice(0, start).trim() === "";
}

/** Returns whether a passage can only be a negation, whatever it excludes. */
export function isCertain({ rest }: Reading, { start }: Passage): boolean {
  return CERTAIN.test(rest.slice(start));
}

/**
 * Returns the start of the negation before a quotation or hostname; undefined if it is not negated.
 */
export function negationBefore(reading: Reading, { start }: Passage): number | undefined {
  return BEFORE_QUOTED.exec(reading.rest.slice(0, start))?.index;
}
