/** Reads the codes and abbreviations of states, and the words right before places. */
import type { Draft } from "./draft.ts";
import {
  ABBREVIATIONS,
  CLEAR_ABBREVIATIONS,
  type NamedPlace,
  PLACES,
  REGION_OF_CODE,
} from "./known_places.ts";
import type { QueryText, Run, Span } from "./query_text.ts";

/** A place that a query names. */
export type PlaceMention = NamedPlace & Span & {
  is_adjective?: boolean;
  /** True if a word such as "in" stands before it, or before a list with it. */
  is_cued?: boolean;
  /** True if the name may mean something else: "Buffalo wings". It is no condition. */
  is_doubtful?: boolean;
};

/** Codes that are also words, or often mean something else. */
const WORDLIKE_CODES: ReadonlySet<string> = new Set(
  "IN OR ME OK HI ID DE CO LA PR MS AL MT PE SK NL NB AR MD VA PA MA ON".split(" "),
);
/** Word-like codes that mean a place if they are in capitals and not the first word of a query. */
const CLEAR_IN_CAPITALS: ReadonlySet<string> = new Set("MA PA VA MD ON".split(" "));

/** Pattern of words right before a place. */
const CUE =
  /(?:^|[^\p{L}\p{N}])(?:in|near|around|across|within|throughout|from|serving|au|aux|en|dans|pres d[eu]|autour d[eu]|de|based in|region d[eu]|(?:city|town) of)[\s']+(?:the |greater |downtown |la |le |l')?$/u;
/**
 * Pattern of the French "à" right before a place. Without its accent, it is a cue only in a French
 * query, because "a" is an article in English.
 */
const FRENCH_CUE = /(?:^|[^\p{L}\p{N}])([aà])[\s'’]+(?:la |le |l['’])?$/iu;
/** Pattern of the text between two places of a list. */
export const LISTED =
  /^\s*(?:,|,?\s*(?:and|or|et|ou|&)|\/)\s*(?:in |the |en |au |aux |le |la |les |l')*$/;
const ENDS_IN_COMMA = /,\s*$/;
/** Pattern of words right before a code in small letters. */
const CODE_CUE = /(?:^|[^\p{L}\p{N}])(?:in|near|around|across|within|from|out of)\s+$/u;
/** Codes that are common words. In small letters, they need a city or a comma before them. */
const SENTENCE_WORDS: ReadonlySet<string> = new Set("IN OR ME OK HI ID DE LA ON AL MS".split(" "));

/** A run of letters at which a place may begin. */
export interface Position {
  runs: readonly Run[];
  at: number;
  last: PlaceMention | undefined;
}

/** Reads an abbreviation of a state: "Calif.", "N.Y.", "Chicago, Ill". */
export function abbreviationAt(
  text: QueryText,
  { runs, at, last }: Position,
): PlaceMention | undefined {
  const { start, end, text: word } = runs[at]!;
  const dotted = /^(\p{L})\.\s?(\p{L})\./u.exec(text.cased.slice(start).toLowerCase());
  if (dotted !== null) {
    const code = dotted[1]! + dotted[2]!;
    const place = code === "la" ? PLACES.get(code) : REGION_OF_CODE.get(code.toUpperCase());
    return place && { ...place, needs_cue: undefined, start, end: start + dotted[0].length };
  }
  const place = ABBREVIATIONS.get(word);
  if (place === undefined) return undefined;
  const hasDot = text.cased[end] === ".";
  const followsCity = last !== undefined && last.level !== "region" &&
    /^[\s,(]*$/.test(text.cased.slice(last.end, start));
  return hasDot || followsCity || CLEAR_ABBREVIATIONS.has(word)
    ? { ...place, start, end: hasDot ? end + 1 : end }
    : undefined;
}

/** Reads a code in capitals, after a comma or a city, or in small letters (isSmallCode). */
export function codeAt(draft: Draft, position: Position): PlaceMention | undefined {
  const { text } = draft;
  const { runs, at, last } = position;
  const { start, end, text: word } = runs[at]!;
  if (word.length !== 2) return undefined;
  const code = word.toUpperCase();
  const place = REGION_OF_CODE.get(code);
  // "Mi-novembre" is a time.
  if (place === undefined || /^-(?!based)\p{L}/u.test(text.cased.slice(end))) return undefined;
  const before = text.rest.slice(0, start);
  const gap = last === undefined ? "" : text.cased.slice(last.end, start);
  const followsCity = last !== undefined && last.level !== "region" && /^[\s,(]*$/.test(gap) &&
    (!SENTENCE_WORDS.has(code) || gap.includes(",") || endsSentence(text, runs[at]!, last));
  const followsComma = ENDS_IN_COMMA.test(before) && at > 0 &&
    end >= text.rest.trimEnd().length - 1;
  const isCapital = text.hasCase && text.cased.slice(start, end) === code;
  const isClear = isCapital &&
      (!WORDLIKE_CODES.has(code) || isCued(draft, start) || ENDS_IN_COMMA.test(before) ||
        (CLEAR_IN_CAPITALS.has(code) && at > 0)) ||
    isSmallCode(text, position);
  // Without a city before it, "LA" is Los Angeles or a French article.
  if (
    code === "LA" && !followsCity &&
    !(followsComma && /\p{Lu}\p{Ll}+,\s*$/u.test(text.cased.slice(0, start)))
  ) {
    return undefined;
  }
  if (!followsCity && !followsComma && !isClear) return undefined;
  // "CA" means Canada close to a code of the US, or in a query about Canada.
  const around = text.cased.slice(Math.max(0, start - 12), start + 14);
  const isCanada = /\b(?:US|USA|U\.S\.)\b/.test(around) || /canad|quebec|ontario/i.test(text.cased);
  if (code === "CA" && !followsCity && isCanada) {
    return { level: "country", places: [{ country: "CA" }], start, end };
  }
  return { ...place, start, end };
}

/**
 * Returns whether a code that is a common word stands for a state right after a city: "Portland OR",
 * but not "Portland or Boise" and "Portland OR Boise".
 */
function endsSentence({ cased }: QueryText, { start, end }: Run, city: PlaceMention): boolean {
  const after = cased.slice(end);
  return cased.slice(start, end) === cased.slice(start, end).toUpperCase()
    ? !/^\s+\p{Lu}/u.test(after)
    : !city.needs_cue && /^[\s?!.]*$/.test(after);
}

/** Returns whether a word is a code in small letters: "software in tx", "software tx". */
function isSmallCode({ rest, cased, hasCase }: QueryText, { runs, at }: Position): boolean {
  const { start, end, text: word } = runs[at]!;
  const code = word.toUpperCase();
  if (SENTENCE_WORDS.has(code)) return false;
  const ends = /^[\s?!.]*$/.test(cased.slice(end));
  if (CODE_CUE.test(rest.slice(0, start))) return ends || !WORDLIKE_CODES.has(code);
  return !hasCase && at > 0 && ends && (!WORDLIKE_CODES.has(code) || CLEAR_IN_CAPITALS.has(code));
}

/** Returns whether a word such as "in" or "à" stands right before a position of the query. */
export function isCued({ text, query, language }: Draft, start: number): boolean {
  const letter = FRENCH_CUE.exec(query.slice(0, start))?.[1]?.toLowerCase();
  return letter === "à" || letter === "a" && language === "fr" ||
    CUE.test(text.rest.slice(0, start));
}
