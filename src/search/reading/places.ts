/** Regions, cities and metropolitan areas that a query names. */
import {
  ABBREVIATIONS,
  CLEAR_ABBREVIATIONS,
  FIRST_WORDS,
  LARGE,
  type NamedPlace,
  ORDINARY,
  PLACES,
  REGION_OF_CODE,
} from "./known_places.ts";
import { type Reading, type Span, type Word, wordsOf } from "./passages.ts";

/** A place that a query names. */
export type PlaceMention = NamedPlace & Span;

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
  /(?:^|[^\p{L}\p{N}])(?:in|near|around|across|within|throughout|from|serving|a|au|aux|en|dans|pres d[eu]|autour d[eu]|de|based in|region d[eu])[\s']+(?:the |greater |downtown |la |le |l')?$/u;
const ENDS_IN_COMMA = /,\s*$/;
/** Pattern of words right before a code in small letters. */
const CODE_CUE = /(?:^|[^\p{L}\p{N}])(?:in|near|around|across|within|from|out of)\s+$/u;
/** Codes that are common words. In small letters, they need a city or a comma before them. */
const SENTENCE_WORDS: ReadonlySet<string> = new Set("IN OR ME OK HI ID DE LA ON AL MS".split(" "));

/** Finds the places that a query names, and drops their words. Returns the places in order. */
export function readPlaces(reading: Reading): PlaceMention[] {
  const words = wordsOf(reading.rest);
  const hasCase = /\p{Ll}/u.test(reading.query) && /\p{Lu}/u.test(reading.query);
  const mentions: PlaceMention[] = [];
  for (let at = 0; at < words.length;) {
    const mention = mentionAt(reading, { words, at, hasCase, last: mentions.at(-1) });
    if (mention === undefined) {
      at++;
      continue;
    }
    mentions.push(mention);
    while (at < words.length && words[at]!.start < mention.end) at++;
  }
  const kept = mentions.filter((mention, place) =>
    isMeant(reading, mention, mentions[place + 1], hasCase)
  );
  for (const mention of kept) reading.drop(withCue(reading, mention));
  return kept;
}

interface Position {
  words: readonly Word[];
  at: number;
  hasCase: boolean;
  last: PlaceMention | undefined;
}

function mentionAt(reading: Reading, position: Position): PlaceMention | undefined {
  const { words, at } = position;
  const code = codeAt(reading, position) ?? abbreviationAt(reading, position);
  if (code !== undefined) return code;
  if (!FIRST_WORDS.has(words[at]!.text)) return undefined;
  for (let count = Math.min(NAME_WORDS_MAX, words.length - at); count > 0; count--) {
    const span = words.slice(at, at + count);
    if (!isJoined(reading.rest, span)) continue;
    const place = PLACES.get(span.map(({ text }) => text).join(" "));
    if (place === undefined) continue;
    return { ...place, start: span[0]!.start, end: span.at(-1)!.end };
  }
  return undefined;
}

/** Reads an abbreviation of a state: "Calif.", "N.Y.", "Chicago, Ill". */
function abbreviationAt(
  reading: Reading,
  { words, at, last }: Position,
): PlaceMention | undefined {
  const { start, end, text } = words[at]!;
  const dotted = /^(\p{L})\.\s?(\p{L})\./u.exec(reading.query.slice(start).toLowerCase());
  if (dotted !== null) {
    const code = dotted[1]! + dotted[2]!;
    const place = code === "la" ? PLACES.get(code) : REGION_OF_CODE.get(code.toUpperCase());
    return place && { ...place, needs_cue: undefined, start, end: start + dotted[0].length };
  }
  const place = ABBREVIATIONS.get(text);
  if (place === undefined) return undefined;
  const hasDot = reading.query[end] === ".";
  const followsCity = last !== undefined && last.level !== "region" &&
    /^[\s,(]*$/.test(reading.query.slice(last.end, start));
  return hasDot || followsCity || CLEAR_ABBREVIATIONS.has(text)
    ? { ...place, start, end: hasDot ? end + 1 : end }
    : undefined;
}

/** Returns whether only spaces, dots, commas, hyphens, slashes or apostrophes separate words. */
function isJoined(text: string, span: readonly Word[]): boolean {
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
  reading: Reading,
  { words, at, hasCase, last }: Position,
): PlaceMention | undefined {
  const { start, end, text } = words[at]!;
  if (text.length !== 2) return undefined;
  const code = text.toUpperCase();
  const place = REGION_OF_CODE.get(code);
  if (place === undefined) return undefined;
  const before = reading.rest.slice(0, start);
  const followsCity = last !== undefined && last.level !== "region" &&
    /^[\s,(]*$/.test(reading.query.slice(last.end, start)) &&
    !(SENTENCE_WORDS.has(code) && last.needs_cue && reading.query.slice(start, end) !== code);
  const followsComma = ENDS_IN_COMMA.test(before) && at > 0 &&
    end >= reading.rest.trimEnd().length - 1;
  const isCapital = hasCase && reading.query.slice(start, end) === code;
  const isClear = isCapital &&
      (!WORDLIKE_CODES.has(code) || CUE.test(before) || ENDS_IN_COMMA.test(before) ||
        (CLEAR_IN_CAPITALS.has(code) && at > 0)) ||
    isSmallCode(reading, { words, at, hasCase });
  // Without a city before it, "LA" is Los Angeles or a French article.
  if (
    code === "LA" && !followsCity &&
    !(followsComma && /\p{Lu}\p{Ll}+,\s*$/u.test(reading.query.slice(0, start)))
  ) {
    return undefined;
  }
  if (!followsCity && !followsComma && !isClear) return undefined;
  if (code === "CA" && !followsCity && isCanada(reading, start)) {
    return { level: "region", any: [], countries: ["CA"], start, end };
  }
  return { ...place, start, end };
}

/**
 * Returns whether a word is a code in small letters: "software in tx" or, without any capitals,
 * "software tx".
 */
function isSmallCode(
  { rest, query }: Reading,
  { words, at, hasCase }: Omit<Position, "last">,
): boolean {
  const { start, end, text } = words[at]!;
  const code = text.toUpperCase();
  if (SENTENCE_WORDS.has(code)) return false;
  const ends = /^[\s?!.]*$/.test(query.slice(end));
  if (CODE_CUE.test(rest.slice(0, start))) return ends || !WORDLIKE_CODES.has(code);
  return !hasCase && at > 0 && ends && (!WORDLIKE_CODES.has(code) || CLEAR_IN_CAPITALS.has(code));
}

/** Returns whether "CA" means Canada: close to a code of the US, or in a query about Canada. */
function isCanada({ query }: Reading, start: number): boolean {
  const around = query.slice(Math.max(0, start - 12), start + 14);
  return /\b(?:US|USA|U\.S\.)\b/.test(around) || /canad|quebec|ontario/i.test(query);
}

/**
 * Returns whether a name means the place. A name that is often another word needs a cue, its region
 * after it, or a capital. A capital does not suffice for a name of ORDINARY that LARGE lacks. In a
 * query without capitals, a name of LARGE needs none of them.
 */
function isMeant(
  reading: Reading,
  mention: PlaceMention,
  next: PlaceMention | undefined,
  hasCase: boolean,
): boolean {
  if (mention.needs_cue === undefined) return true;
  if (mention.end - mention.start === 2) {
    return hasCase && reading.query.slice(mention.start, mention.end) === "LA";
  }
  if (CUE.test(reading.rest.slice(0, mention.start))) return true;
  const isInNext = mention.regions?.includes(next?.any[0] ?? "") ?? false;
  if (isInNext && isBeside(reading, mention, next!)) return true;
  const key = mention.any[0]!.slice("city:".length);
  if (!/\p{Lu}/u.test(reading.query)) return LARGE.has(key);
  return hasCase && /^\p{Lu}/u.test(reading.query.slice(mention.start)) &&
    (!ORDINARY.has(key) || LARGE.has(key)) && !isNameLike(reading, mention);
}

/** Returns whether a capitalized neighbour shows that a place is part of a name: "Boulder Wind". */
function isNameLike({ query }: Reading, { start, end }: PlaceMention): boolean {
  return /^\s+\p{Lu}\p{Ll}/u.test(query.slice(end)) ||
    /\p{Lu}\p{Ll}+\s+$/u.test(query.slice(0, start));
}

/** Returns whether two places are a city and the region right after it: "Austin, TX". */
function isBeside(
  { rest, query }: Reading,
  first: PlaceMention,
  next: PlaceMention,
): boolean {
  const gap = (rest.length === query.length ? query : rest).slice(first.end, next.start);
  return first.level !== "region" && next.level === "region" && /^[\s,(]{1,4}(?:in )?$/.test(gap);
}

/** Pattern of words after a place that add nothing to its meaning: "area", "state". */
const AREA_AFTER =
  /^[\s-]+(?:metropolitan area|metro area|metro|area|region|based|state|county)(?![\p{L}\p{N}])/u;

/** Pattern of words before a place that add nothing to its meaning: "near", "across". */
const CUE_BEFORE =
  /(?<![\p{L}\p{N}])(?:around|across|within|throughout|near|autour|pres)\s+(?:d[eu]\s|de la\s|the\s)?(?:greater |metro |metropolitan )?$/u;

/** Extends a place by the words around it that add nothing to its meaning: "near the … area". */
function withCue({ rest }: Reading, { start, end }: PlaceMention): Span {
  const after = AREA_AFTER.exec(rest.slice(end))?.[0].length ?? 0;
  return { start: CUE_BEFORE.exec(rest.slice(0, start))?.index ?? start, end: end + after };
}

/**
 * Returns the facets of places, each as a list of terms. A city and the region after it are two
 * facets if the query names no other place. Otherwise, all places are alternatives, without the
 * regions after cities.
 */
export function facetsOfPlaces(reading: Reading, mentions: readonly PlaceMention[]): string[][] {
  const [first, second, third] = mentions;
  if (first === undefined || mentions.every(({ any }) => any.length === 0)) return [];
  if (second !== undefined && third === undefined && isBeside(reading, first, second)) {
    const local = first.any.filter((term) => !term.startsWith("region:"));
    return [local.length > 0 ? local : first.any, second.any];
  }
  const terms = mentions.filter((mention, place) => {
    const before = mentions[place - 1];
    return before === undefined || !isBeside(reading, before, mention);
  }).flatMap(({ any }) => any);
  return [[...new Set(terms)]];
}
