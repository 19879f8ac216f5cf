/** Finds the countries, regions, cities and metropolitan areas that a query names. */
import { COUNTRIES } from "../../contract/vocabulary.ts";
import { phrasesAt } from "../words/similar.ts";
import { isStopWord, languageOf, wordsOf } from "../words/tokens.ts";
import type { Draft } from "./draft.ts";
import { COUNTRY_PATTERNS, LARGE, ORDINARY, PLACES } from "./known_places.ts";
import {
  abbreviationAt,
  codeAt,
  isCued,
  LISTED,
  type PlaceMention,
  type Position,
} from "./place_codes.ts";
import { overlaps, type QueryText, type Run, runsOf, type Span } from "./query_text.ts";

const NAME_WORDS_MAX = 5;

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
  const mentions: PlaceMention[] = [];
  for (let at = 0; at < runs.length;) {
    const mention = mentionAt(draft, { runs, at, last: mentions.at(-1) });
    if (mention === undefined) {
      at++;
      continue;
    }
    mentions.push(mention);
    while (at < runs.length && runs[at]!.start < mention.end) at++;
  }
  const meant: PlaceMention[] = [];
  for (const [place, mention] of mentions.entries()) {
    const last = meant.at(-1);
    // "In Denver or Boulder" has one preposition for both, but "in Texas and concord grapes" has not.
    const isName = /^\p{Lu}/u.test(text.cased.slice(mention.start)) || endsNamePart(text, mention);
    mention.is_cued = isCued(draft, mention.start) ||
      (last?.is_cued ?? false) && isName && isListed(text, last!, mention);
    if (isMeant(draft, mention, mentions[place + 1])) meant.push(mention);
  }
  const countries = countriesIn(text).filter((country) =>
    !meant.some((mention) => overlaps(mention, country))
  );
  for (const [at, mention] of meant.entries()) {
    // "Phoenix or Tucson" asks for both.
    const next = meant[at + 1];
    const isChoice = next !== undefined && !next.needs_cue && isListed(text, mention, next);
    mention.is_doubtful = mention.needs_cue && !isChoice && !isLosAngeles(text, mention) &&
      !mention.is_cued && !mentions.some((one) => isInNext(text, mention, one));
  }
  return [...meant, ...countries].sort((a, b) => a.start - b.start);
}

function mentionAt(draft: Draft, position: Position): PlaceMention | undefined {
  const { text } = draft;
  const { runs, at } = position;
  const code = codeAt(draft, position) ?? abbreviationAt(text, position);
  if (code !== undefined) return code;
  for (let count = Math.min(NAME_WORDS_MAX, runs.length - at); count > 0; count--) {
    const span = runs.slice(at, at + count);
    if (!isJoined(text.rest, span)) continue;
    const name = span.map(({ text }) => text).join(" ");
    const place = PLACES.get(name);
    if (place === undefined) continue;
    // "À Québec" is in the city, and "au Québec" in the province.
    const isCity = place.level === "region" &&
      /(?:^|\s)à $/iu.test(draft.query.slice(0, span[0]!.start));
    const named = isCity && PLACES.get(`${name} city`) || place;
    return { ...named, start: span[0]!.start, end: span.at(-1)!.end };
  }
  return undefined;
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
 * Returns whether a name means the place. A name that is often another word needs a cue, its region
 * after it, or a capital. A capital does not suffice for a name of ORDINARY that LARGE lacks, or for
 * one that begins a phrase: "Buffalo wings". In a query without capitals, a name of LARGE needs none
 * of them. A further city of the gazetteer needs its region after it, or a cue, a capital and no
 * word after it that it may belong to: "in Enterprise Software", "in Central Florida".
 */
function isMeant(draft: Draft, mention: PlaceMention, next: PlaceMention | undefined): boolean {
  const { text } = draft;
  if (mention.needs_cue === undefined) return true;
  if (mention.end - mention.start === 2) {
    return text.hasCase && text.cased.slice(mention.start, mention.end) === "LA";
  }
  const isCapital = text.hasCase && /^\p{Lu}/u.test(text.cased.slice(mention.start));
  const hasPlaceCue = mention.is_cued || isInNext(text, mention, next);
  if (mention.is_minor) {
    return isInNext(text, mention, next) ||
      hasPlaceCue && isCapital && !isPartOfPhrase(draft, mention) && endsNamePart(text, mention);
  }
  const key = mention.places[0]!.city ?? "";
  // "Interested in mobile companies" is about no city.
  const isApart = isCapital || !ORDINARY.has(key) || endsNamePart(text, mention) ||
    isInNext(text, mention, next);
  if (hasPlaceCue && isApart) return true;
  if (isPartOfPhrase(draft, mention)) return false;
  if (!/\p{Lu}/u.test(text.cased)) return LARGE.has(key);
  return isCapital && (!ORDINARY.has(key) || LARGE.has(key)) && !isNameLike(text, mention);
}

/** Returns whether a mention is "LA", which begins no name and is no article of a French query. */
function isLosAngeles({ cased }: QueryText, { start, end }: PlaceMention): boolean {
  return end - start === 2 && !/^\s+\p{Lu}/u.test(cased.slice(end)) &&
    languageOf(wordsOf(cased.slice(0, start) + cased.slice(end))) !== "fr";
}

/** Returns whether two places are neighbours in a list. */
function isListed({ rest }: QueryText, first: Span, next: Span): boolean {
  return LISTED.test(rest.slice(first.end, next.start));
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
