/** Negations of a query: "not construction", "sauf les traiteurs". */
import { anyOf, readPhrases } from "../facets/patterns.ts";
import { cue } from "./cues.ts";
import table from "./negation.tsv" with { type: "text" };
import type { Passage, QueryText, Span } from "./query_text.ts";

const phrases = readPhrases(table);
const [STRONG, WEAK] = ["strong", "weak"].map(phrases);
/** Patterns of auxiliaries and conjunctions. */
const BEFORE_STATEMENT =
  "is|are|was|were|be|been|do|does|did|has|have|had|can|could|may|might|will|would|should|must|or|ou|whether|if|et|and|avec|with|est|sont|ont|a|peut|peuvent|doit|doivent";
/** Patterns of words right before a place. */
const BEFORE_PLACE = "in|en|dans|based|au|aux";

/**
 * Pattern of words that are no object of a negation. Some form an expression with "sans" or
 * "without". The others name nothing that a record could be about: "not yet", "not available".
 */
const NO_OBJECT = new RegExp(phrases("no_object"), "uy");

/** Pattern of the words between a negation and its object. */
const OPENING =
  "(?:(?:in|for|from|at|any|its|their|the|a|an|those|ones|that|are|is|companies|firms|based|de|du|des|d|la|le|les|l|en|dans|au|aux|pour|celles|ceux|un|une|entreprises|compagnies|societes)[\\s']+){0,4}";
/** Pattern of the words that end a negation, as punctuation does. */
const END =
  `(?:in|for|from|since|but|that|which|who|with|to|on|over|within|during|en|dans|depuis|mais|qui|avec|pour|au|aux|chez|and|or|nor|ni|et|ou|not|sans|except|sauf|${BEFORE_STATEMENT})`;
const WORD = `(?!${END}(?![\\p{L}\\p{N}]))[\\p{L}\\p{N}&-]+`;
const GLUE = "(?:[\\s'-]+(?:of|de|des|du|d|la|le|les|l)){0,2}[\\s'-]+";
const OBJECT = `${WORD}(?:${GLUE}${WORD}){0,2}`;
const MORE = `(?:\\s+(?:or|nor|ni|ou|and|et)\\s+${OPENING}(${OBJECT}))?`.repeat(3);

const NEGATION = new RegExp(
  `(?:(?:${STRONG})|(?<!(?<![\\p{L}\\p{N}])(?:${BEFORE_STATEMENT})\\s)(?:${WEAK})|` +
    `${anyOf("not")}(?=\\s+(?:${BEFORE_PLACE})\\s))[\\s',:(]+${OPENING}(${OBJECT})${MORE}`,
  "gu",
);

/** Pattern of a negation at the end of the text before a quotation or hostname. */
const BEFORE_QUOTED = new RegExp(
  `(?:${STRONG}|(?<!(?<![\\p{L}\\p{N}])(?:${BEFORE_STATEMENT})\\s)(?:${WEAK}))[\\s',:(]+${OPENING}$`,
  "u",
);

/** Pattern after the object in a statement: "Mice without teeth are hungry". */
const AUXILIARY_AFTER = new RegExp(`^\\s+(?:${BEFORE_STATEMENT})(?![\\p{L}\\p{N}])`, "u");

/** Pattern of "Series" before an "A", which is then no French auxiliary. */
const SERIES = /(?:^|\s)series?$/;

/** Pattern of a query that may begin with a name: Sans Souci, Pas de Calais, Not Impossible. */
const NAME = /^\s*(?:(?:[Ss]ans|SANS|[Pp]as|[Ww]ithout)[\s'-]|Not\s+\p{Lu}\p{Ll})/u;

/**
 * Pattern of a negation beyond doubt: "except X", "not X". By contrast, "without ERP" may state a
 * need, and "pas de" may begin a name.
 */
const CERTAIN = new RegExp(`^(?:${STRONG}|${anyOf("not; neither; aucune?")})`, "u");

/** Pattern that every negation contains. Queries without a match skip the long patterns. */
const MAY_EXCLUDE =
  /not|n't|without|sans|pas|exce|exclu|other|apart|but|than|instead|sauf|hormis|autre|plutot|lieu|outside|hors|exterieur|neither|ailleurs|anywhere|aucun|a part|\b(?:no|nor|ni|non)\b|(?<!\S)-\S/;

/** Pattern of a minus sign with the word after it. */
const MINUS = /-(?=\p{L})([\p{L}\p{N}&'-]+)/gu;

/** Returns the words that a minus sign excludes: "roofing -metal". */
export function findMinuses(text: QueryText): Passage[] {
  return text.find(MINUS).filter(({ start }) => minusBefore(text, start + 1) === start);
}

/**
 * Returns the place of a minus sign that excludes what begins at a position; undefined if there is
 * none. A dash at the start of one of several lines is that of a list.
 */
export function minusBefore({ cased }: QueryText, start: number): number | undefined {
  const at = start - 1;
  const before = cased.slice(0, Math.max(0, at));
  const isList = cased.includes("\n") && /(?:^|\n)[^\S\n]*$/.test(before);
  return cased[at] === "-" && !isList && /(?:^|\s)$/.test(before) ? at : undefined;
}

/** Returns the negations of a query. Each group of a passage is an excluded object. */
export function findNegations(text: QueryText): Passage[] {
  if (!MAY_EXCLUDE.test(text.rest)) return [];
  return text.find(NEGATION).filter(({ start, end, groups: [object] }) => {
    NO_OBJECT.lastIndex = 0;
    // "Shops that do not sell alcohol" excludes alcohol.
    return (/^(?:that|which|who|qui)/.test(text.rest.slice(start)) || !NO_OBJECT.test(object!)) &&
      (SERIES.test(object!) || !AUXILIARY_AFTER.test(text.rest.slice(end))) &&
      !/^Sans\s+\p{Lu}\p{Ll}/u.test(text.cased.slice(start));
  });
}

/** Returns whether a negation may be the first word of a name at the start of the query. */
export function mayBeName({ cased }: QueryText, { start }: Passage): boolean {
  return NAME.test(cased) && cased.slice(0, start).trim() === "";
}

/** Returns whether a passage is a negation beyond doubt, whatever its object is. */
export function isCertain({ rest }: QueryText, { start }: Passage): boolean {
  return CERTAIN.test(rest.slice(start));
}

/** Returns the start of the negation before a quotation or hostname; undefined without one. */
export function negationBefore(text: QueryText, { start }: Span): number | undefined {
  return minusBefore(text, start) ?? BEFORE_QUOTED.exec(text.rest.slice(0, start))?.index;
}

/** Pattern of words right before a place or round that is not wanted. */
const NOT_WANTED = new RegExp(
  cue("not_wanted") +
    "(?:[\\s']+(?:based|located|headquartered|in|across|within|near|from|of|the|those|companies|en|a|au|aux|dans|de|du|d|des|la|le|les|l|ceux|celles|any|an|une?))*[\\s']*$",
  "u",
);

/** Pattern of the text between two places that are not wanted. */
const ALSO = /^(?:,|or|and|nor|ou|et|ni|in|en|au|a|de|the|la|le|l'|\s)*$/;

/** Pattern of a word after such a place or round. */
const EXCLUDED_AFTER = /^,? (?:exclue?s?|excluded|excepted)(?![\p{L}\p{N}])/u;

/** Returns the start of the negation beside a place or round; undefined if there is none. */
export function negationStart(
  text: QueryText,
  { start, end }: Span,
  last?: Span,
): number | undefined {
  if (last !== undefined && ALSO.test(text.cased.slice(last.end, start))) return last.end;
  if (EXCLUDED_AFTER.test(text.rest.slice(end))) return start;
  return minusBefore(text, start) ?? NOT_WANTED.exec(text.rest.slice(0, start))?.index;
}
