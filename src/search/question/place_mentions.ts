/** Finds the countries, regions, cities and metropolitan areas that a query names. */
import { COUNTRIES } from "../../contract/vocabulary.ts";
import { phrasesAt } from "../words/similar.ts";
import { isStopWord } from "../words/tokens.ts";
import type { Draft } from "./draft.ts";
import {
  ABBREVIATIONS,
  CLEAR_ABBREVIATIONS,
  COUNTRY_PATTERNS,
  FIRST_WORDS,
  LARGE,
  type NamedPlace,
  ORDINARY,
  PLACES,
  REGION_OF_CODE,
} from "./known_places.ts";
import { overlaps, type QueryText, type Run, runsOf, type Span } from "./query_text.ts";

/** A place that a query names. */
export type PlaceMention = NamedPlace & Span & {
  is_adjective?: boolean;
  /** True if the name may mean something else: "Buffalo wings". It is no condition. */
  is_doubtful?: boolean;
};

/** Maximum number of words in the name of a place. */
const NAME_WORDS_MAX = 5;

/** Codes that are also words, or often mean something else. */
const WORDLIKE_CODES: ReadonlySet<string> = new Set(
  "IN OR ME OK HI ID DE CO LA PR MS AL MT PE SK NL NB AR MD VA PA MA ON".split(" "),
);
/** Word-like codes that mean a place if they are in capitals and not the first word of a query. */
const CLEAR_IN_CAPITALS: ReadonlySet<string> = new Set("MA PA VA MD ON".split(" "));

/** Pattern of words right before a place. */
const CUE =
  /(?:^|[^\p{L}\p{N}])(?:in|near|around|across|within|throughout|from|serving|au|aux|en|dans|pres d[eu]|autour d[eu]|de|based in|region d[eu])[\s']+(?:the |greater |downtown |la |le |l')?$/u;
/**
 * Pattern of the French "à" right before a place. Without its accent, it is a cue only in a French
 * query, because "a" is an article in English.
 */
const FRENCH_CUE = /(?:^|[^\p{L}\p{N}])([aà])[\s'’]+(?:la |le |l['’])?$/iu;
const ENDS_IN_COMMA = /,\s*$/;
/** Pattern of words right before a code in small letters. */
const CODE_CUE = /(?:^|[^\p{L}\p{N}])(?:in|near|around|across|within|from|out of)\s+$/u;
/** Codes that are common words. In small letters, they need a city or a comma before them. */
const SENTENCE_WORDS: ReadonlySet<string> = new Set("IN OR ME OK HI ID DE LA ON AL MS".split(" "));

/** Pattern of the United States in capitals. In small letters, "us" is a pronoun. */
const UNITED_STATES = /(?<![\p{L}\p{N}.])(?:US|U\.S\.A?\.?)(?![\p{L}\p{N}])/gu;

function countriesIn(text: QueryText): PlaceMention[] {
  const hasSmall = /\p{Ll}/u.test(text.cased);
  return COUNTRIES.flatMap((country) => {
    const { name, adjective } = COUNTRY_PATTERNS[country];
    const capitals = country === "US" && hasSmall ? text.find(UNITED_STATES, "cased") : [];
    const mention = ({ start, end }: Span, is_adjective: boolean): PlaceMention => ({
      level: "country",
      places: [{ country }],
      is_adjective,
      start,
      end,
    });
    return [
      ...[...text.find(name), ...capitals].map((span) => mention(span, false)),
      ...text.find(adjective).map((span) => mention(span, true)),
    ];
  });
}

/** Returns the places that a query names, in their order. */
export function mentionsIn(draft: Draft): PlaceMention[] {
  const { text } = draft;
  const runs = runsOf(text.rest);
  const hasCase = /\p{Ll}/u.test(text.cased) && /\p{Lu}/u.test(text.cased);
  const mentions: PlaceMention[] = [];
  for (let at = 0; at < runs.length;) {
    const mention = mentionAt(draft, { runs, at, hasCase, last: mentions.at(-1) });
    if (mention === undefined) {
      at++;
      continue;
    }
    mentions.push(mention);
    while (at < runs.length && runs[at]!.start < mention.end) at++;
  }
  const meant = mentions.filter((mention, place) =>
    isMeant(draft, { mention, next: mentions[place + 1], hasCase })
  );
  const countries = countriesIn(text).filter((country) =>
    !meant.some((mention) => overlaps(mention, country))
  );
  for (const mention of meant) {
    mention.is_doubtful = mention.needs_cue && !hasCue(draft, mention, ...mentions);
  }
  return [...meant, ...countries].sort((a, b) => a.start - b.start)
    .map((mention) => ({ ...mention, places: mention.places.map((place) => ({ ...place })) }));
}

interface Position {
  runs: readonly Run[];
  at: number;
  hasCase: boolean;
  last: PlaceMention | undefined;
}

function mentionAt(draft: Draft, position: Position): PlaceMention | undefined {
  const { text } = draft;
  const { runs, at } = position;
  const code = codeAt(draft, position) ?? abbreviationAt(text, position);
  if (code !== undefined) return code;
  if (!FIRST_WORDS.has(runs[at]!.text)) return undefined;
  for (let count = Math.min(NAME_WORDS_MAX, runs.length - at); count > 0; count--) {
    const span = runs.slice(at, at + count);
    if (!isJoined(text.rest, span)) continue;
    const place = PLACES.get(span.map(({ text }) => text).join(" "));
    if (place === undefined) continue;
    return { ...place, start: span[0]!.start, end: span.at(-1)!.end };
  }
  return undefined;
}

/** Reads an abbreviation of a state: "Calif.", "N.Y.", "Chicago, Ill". */
function abbreviationAt(
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

/** Returns whether only spaces, dots, commas, hyphens, slashes or apostrophes separate runs. */
function isJoined(text: string, span: readonly Run[]): boolean {
  for (let at = 1; at < span.length; at++) {
    const [from, to] = [span[at - 1]!.end, span[at]!.start];
    if (to - from > 3 || !/^[\s.,'’–/-]+$/u.test(text.slice(from, to))) return false;
  }
  return true;
}

/**
 * Reads a code of a state or province: in capitals, after a comma or a city, or in small letters
 * (see isSmallCode).
 */
function codeAt(
  draft: Draft,
  { runs, at, hasCase, last }: Position,
): PlaceMention | undefined {
  const { text } = draft;
  const { start, end, text: word } = runs[at]!;
  if (word.length !== 2) return undefined;
  const code = word.toUpperCase();
  const place = REGION_OF_CODE.get(code);
  if (place === undefined) return undefined;
  const before = text.rest.slice(0, start);
  const followsCity = last !== undefined && last.level !== "region" &&
    /^[\s,(]*$/.test(text.cased.slice(last.end, start)) &&
    !(SENTENCE_WORDS.has(code) && last.needs_cue && text.cased.slice(start, end) !== code);
  const followsComma = ENDS_IN_COMMA.test(before) && at > 0 &&
    end >= text.rest.trimEnd().length - 1;
  const isCapital = hasCase && text.cased.slice(start, end) === code;
  const isClear = isCapital &&
      (!WORDLIKE_CODES.has(code) || isCued(draft, start) || ENDS_IN_COMMA.test(before) ||
        (CLEAR_IN_CAPITALS.has(code) && at > 0)) ||
    isSmallCode(text, { runs, at, hasCase });
  // Without a city before it, "LA" is Los Angeles or a French article.
  if (
    code === "LA" && !followsCity &&
    !(followsComma && /\p{Lu}\p{Ll}+,\s*$/u.test(text.cased.slice(0, start)))
  ) {
    return undefined;
  }
  if (!followsCity && !followsComma && !isClear) return undefined;
  if (code === "CA" && !followsCity && isCanada(text, start)) {
    return { level: "country", places: [{ country: "CA" }], start, end };
  }
  return { ...place, start, end };
}

/**
 * Returns whether a word is a code in small letters: "software in tx" or, without any capitals,
 * "software tx".
 */
function isSmallCode(
  { rest, cased }: QueryText,
  { runs, at, hasCase }: Omit<Position, "last">,
): boolean {
  const { start, end, text: word } = runs[at]!;
  const code = word.toUpperCase();
  if (SENTENCE_WORDS.has(code)) return false;
  const ends = /^[\s?!.]*$/.test(cased.slice(end));
  if (CODE_CUE.test(rest.slice(0, start))) return ends || !WORDLIKE_CODES.has(code);
  return !hasCase && at > 0 && ends && (!WORDLIKE_CODES.has(code) || CLEAR_IN_CAPITALS.has(code));
}

/** Returns whether "CA" means Canada: close to a code of the US, or in a query about Canada. */
function isCanada({ cased }: QueryText, start: number): boolean {
  const around = cased.slice(Math.max(0, start - 12), start + 14);
  return /\b(?:US|USA|U\.S\.)\b/.test(around) || /canad|quebec|ontario/i.test(cased);
}

/**
 * Returns whether a name means the place. A name that is often another word needs a cue, its region
 * after it, or a capital. A capital does not suffice for a name of ORDINARY that LARGE lacks, or for
 * one that begins a phrase: "Buffalo wings". In a query without capitals, a name of LARGE needs none
 * of them. A further city of the gazetteer needs its region after it, or a cue, a capital and no
 * word after it that it may belong to: "in Enterprise Software", "in Central Florida".
 */
function isMeant(
  draft: Draft,
  { mention, next, hasCase }: {
    mention: PlaceMention;
    next: PlaceMention | undefined;
    hasCase: boolean;
  },
): boolean {
  const { text } = draft;
  if (mention.needs_cue === undefined) return true;
  if (mention.end - mention.start === 2) {
    return hasCase && text.cased.slice(mention.start, mention.end) === "LA";
  }
  const isCapital = hasCase && /^\p{Lu}/u.test(text.cased.slice(mention.start));
  const hasPlaceCue = hasCue(draft, mention, ...next === undefined ? [] : [next]);
  if (mention.is_minor) {
    return isInNext(text, mention, next) ||
      hasPlaceCue && isCapital && !isPartOfPhrase(draft, mention) && endsNamePart(text, mention);
  }
  if (hasPlaceCue) return true;
  if (isPartOfPhrase(draft, mention)) return false;
  const key = mention.places[0]!.city ?? "";
  if (!/\p{Lu}/u.test(text.cased)) return LARGE.has(key);
  return isCapital && (!ORDINARY.has(key) || LARGE.has(key)) && !isNameLike(text, mention);
}

/** Returns whether a word such as "in" is before a place, or its region after it. */
function hasCue(draft: Draft, mention: PlaceMention, ...others: PlaceMention[]): boolean {
  return isCued(draft, mention.start) ||
    others.some((next) => isInNext(draft.text, mention, next));
}

/** Returns whether a word such as "in" or "à" stands right before a position of the query. */
export function isCued({ text, query, language }: Draft, start: number): boolean {
  const letter = FRENCH_CUE.exec(query.slice(0, start))?.[1]?.toLowerCase();
  return letter === "à" || letter === "a" && language === "fr" ||
    CUE.test(text.rest.slice(0, start));
}

/** Returns whether the region right after a city has a city of this name: "Commerce, CA". */
function isInNext(text: QueryText, mention: PlaceMention, next?: PlaceMention): boolean {
  const region = next?.level === "region" ? next.places[0]?.region : undefined;
  return region !== undefined && (mention.regions?.includes(region) ?? false) &&
    isBeside(text, mention, next!);
}

/** Returns whether a name and a word beside it are a phrase of the tables: "buffalo wings". */
function isPartOfPhrase({ units }: Draft, mention: PlaceMention): boolean {
  const words = units.map(({ text }) => text);
  return units.some((_, from) =>
    phrasesAt(words, from).some((length) => {
      const phrase = units.slice(from, from + length);
      const inside = phrase.filter((unit) => overlaps(unit, mention)).length;
      return inside > 0 && inside < length;
    })
  );
}

/** Returns whether a capitalized neighbour shows that a place is part of a name: "Boulder Wind". */
function isNameLike({ cased }: QueryText, { start, end }: PlaceMention): boolean {
  return /^\s+\p{Lu}\p{Ll}/u.test(cased.slice(end)) ||
    /\p{Lu}\p{Ll}+\s+$/u.test(cased.slice(0, start));
}

/** Returns whether no content word follows a mention. */
export function endsNamePart({ rest }: QueryText, { end }: Span): boolean {
  const next = /^\s+([\p{L}\p{N}]+)/u.exec(rest.slice(end))?.[1];
  return next === undefined || isStopWord(next);
}

/** Returns whether two places are a city and the region right after it: "Austin, TX". */
export function isBeside({ cased }: QueryText, first: PlaceMention, next: PlaceMention): boolean {
  const gap = cased.slice(first.end, next.start);
  // "Ontario, California" is a city, whose name is also that of a region.
  const isCity = first.level !== "region" ||
    (gap.startsWith(",") && (first.regions?.includes(next.places[0]?.region ?? "") ?? false));
  return isCity && next.level === "region" && /^[\s,(]{1,4}(?:in )?$/.test(gap);
}
