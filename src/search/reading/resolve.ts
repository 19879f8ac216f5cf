/**
 * Completes a reading with what an index holds: names, spelling, industries, technologies, cities.
 */
import { fold } from "../engine/words.ts";
import { type NameSpan, resolveNames } from "./resolve_names.ts";
import { cityKey, termsOfCity } from "./place_terms.ts";
import { alternativesOf, type Form, SAME_WEIGHT } from "../trades/alternatives.ts";
import { isWithin, overlaps, type Span, wordsOf } from "./passages.ts";
import type { AskedFacet, AskedWord, Correction, KnownTerms, Question } from "./question.ts";
import type { QueryToken } from "./query_tokens.ts";
import { askedWords, pairsOf, type QueryReading, readQuery } from "./read_query.ts";
import { choicesOf, purposesOf, stretchesOf } from "./choices.ts";
import { isGeneric } from "./filler.ts";
import { formsOf } from "./same_stem.ts";
import { resolveTechnologies, resolveTrades, resolveWorkplaces } from "./resolve_trades.ts";

/**
 * Returns the question of a reading. No place, round or sector is read inside a name that the index
 * holds.
 */
export function resolve(unresolved: QueryReading, known: KnownTerms): Question {
  const wordSpans = placesMeantAsWords(unresolved, known);
  const read = wordSpans.length === 0 ? copyOf(unresolved) : {
    ...readQuery(unresolved.query, unresolved.now, wordSpans),
    planned: unresolved.planned,
  };
  const { spans, tickers, corrections } = resolveNames(read.tokens, {
    known,
    isTradeWord: (token) => read.sectors.some((mention) => overlaps(mention, token)),
  });
  const settled = spans.some((span) => holdsReading(span, read))
    ? withCorrections(
      {
        ...readQuery(read.query, read.now, [...spans, ...wordSpans]),
        planned: read.planned,
      },
      read.tokens,
    )
    : read;
  const { planned } = settled;
  const cities = resolveCities(settled, known);
  const content = settled.tokens.filter(({ role }) => role === "content");
  const written = content.length > 0
    ? askedWords(content.flatMap(({ words }) => words))
    : cities.length > 0
    ? []
    : settled.question.words;
  const words = planned === undefined
    ? written
    : plannedWords(planned.words, { content: written, corrections });
  const indexes = new Map(words.map(({ text }, index) => [text, index]));
  for (const index of purposesOf(settled, indexes)) words[index]!.is_purpose = true;
  const isNamed = (token: QueryToken) =>
    spans.some((span) => !span.is_trade && isWithin(token, span));
  const context = { read: settled, known, indexes, isNamed };
  const technologies = resolveTechnologies(context);
  const isTechnology = (token: QueryToken) =>
    token.words.length > 0 &&
    technologies.some(({ words: asked }) =>
      token.words.every((word) => asked.includes(indexes.get(word)!))
    );
  const trades = resolveTrades({
    ...context,
    isNamed: (token) => isNamed(token) || isTechnology(token),
  });
  const standing = [...technologies, ...resolveWorkplaces(context), ...trades.facets];
  const facets: AskedFacet[] = [
    ...settled.question.facets,
    ...cities.map((any) => ({ any, sectors: [], words: [] })),
    // A planner may leave out the words that a facet stands for.
    ...standing.filter(({ words }) => planned === undefined || words.length > 0),
  ];
  return {
    ...settled.question,
    ...planned,
    words,
    alternatives: withTellingForms(
      textsOf(words),
      planned === undefined
        ? alternativesInStretches(settled, words, indexes)
        : alternativesOf(textsOf(words)),
    ),
    choices: planned === undefined ? choicesOf(settled, indexes) : [],
    pairs: pairsOf(settled.plain, settled.tokens),
    facets,
    sectors: planned?.sectors ?? trades.sectors,
    names: [...new Set([...spans.map(({ term }) => term), ...tickers])],
    corrections,
  };
}

/**
 * Returns a planner's words, corrected as the query was. Words whose stem the query lacks are
 * marked as added, unless the query lacks the stems of all of them.
 */
function plannedWords(
  planned: readonly AskedWord[],
  { content, corrections }: { content: readonly AskedWord[]; corrections: readonly Correction[] },
): AskedWord[] {
  const near = new Map(corrections.map(({ from, to }) => [from, to]));
  const isOfQuery = formsOf(content.map(({ text }) => text));
  const words = planned.map(({ text, count }) => ({ text: near.get(text) ?? text, count }));
  if (!words.some(({ text }) => isOfQuery(text))) return words;
  return words.map((word) => isOfQuery(word.text) ? word : { ...word, added: true });
}

/** Returns the alternatives of words that stand together in the query. */
function alternativesInStretches(
  read: QueryReading,
  words: readonly AskedWord[],
  indexes: ReadonlyMap<string, number>,
): Question["alternatives"] {
  const texts = textsOf(words);
  const stretches = stretchesOf(read, indexes);
  if (stretches.flat().length < texts.length) return alternativesOf(texts);
  return stretches.flatMap((stretch) => {
    const [first] = stretch as [number];
    return alternativesOf(texts.slice(first, first + stretch.length))
      .map((one) => ({ ...one, from: first + one.from, to: first + one.to }));
  });
}

/**
 * Drops related forms that only replace asked words by generic ones. For "security guards", the
 * form "security services" says no more than "security".
 */
function withTellingForms(
  texts: readonly string[],
  alternatives: Question["alternatives"],
): Question["alternatives"] {
  return alternatives.map((one) => {
    const isAsked = formsOf(texts.slice(one.from, one.to));
    const tells = ({ words, weight }: Form) => {
      // Most related forms have no generic word. That is faster to check than their stems.
      if (weight === SAME_WEIGHT || !words.some(isGeneric)) return true;
      const others = words.filter((word) => !isAsked(word));
      return others.length === words.length || others.length === 0 || !others.every(isGeneric);
    };
    return one.forms.every(tells) ? one : { ...one, forms: one.forms.filter(tells) };
  });
}

function textsOf(words: readonly AskedWord[]): string[] {
  return words.map(({ text }) => text);
}

/** Finds words such as "aurora" that were read as cities, although no record is from there. */
function placesMeantAsWords({ places, plain }: QueryReading, known: KnownTerms): Span[] {
  return places.filter(({ needs_cue, any, start, end }, place) =>
    needs_cue && !(places[place + 1] !== undefined && places[place + 1]!.start <= end + 3) &&
    any.every((term) => known.facetFrequency(term) === 0) &&
    wordsOf(fold(plain.slice(start, end))).every(({ text }) => known.wordFrequency(text) > 0)
  );
}

/** Copies a reading, because resolve() changes its tokens in place. */
function copyOf(read: QueryReading): QueryReading {
  return { ...read, tokens: read.tokens.map((token) => ({ ...token })) };
}

/** Returns whether rules have read a part of a name: of several words, or of one such as "3M". */
function holdsReading(span: NameSpan, { tokens }: QueryReading): boolean {
  const inside = tokens.filter((token) => isWithin(token, span));
  const isSign = inside.length === 1 && /^\d+\p{L}/u.test(inside[0]!.name);
  return (inside.length > 1 || isSign) &&
    inside.some(({ role }) => role === "read" || role === "filler");
}

/** Copies corrected words to the tokens of a second reading. */
function withCorrections(read: QueryReading, corrected: readonly QueryToken[]): QueryReading {
  const wordsAt = new Map(corrected.map((token) => [token.start, token]));
  for (const token of read.tokens) {
    const before = wordsAt.get(token.start);
    if (token.role === "content" && before?.role === "content") token.words = before.words;
  }
  return read;
}

const CITY_WORDS_MAX = 3;
const CITY_CUE = /(?:^|[^\p{L}\p{N}])(?:in|near|around|a|au|aux|pres d[eu]|based in)[\s']+$/u;
const BEFORE_REGION = /^[\s,(]{1,3}$/;

/**
 * Finds cities that no table has: behind "in" or before a region, if the index holds them. Their
 * tokens lose their words.
 *
 * @returns facet terms, one list for each city
 */
function resolveCities(read: QueryReading, known: KnownTerms): string[][] {
  const cities: string[][] = [];
  const plain = read.plain.toLowerCase();
  for (let at = 0; at < read.tokens.length; at++) {
    if (read.tokens[at]!.role !== "content") continue;
    const hasCue = CITY_CUE.test(plain.slice(0, read.tokens[at]!.start));
    for (let count = CITY_WORDS_MAX; count > 0; count--) {
      const span = read.tokens.slice(at, at + count);
      if (span.length < count || span.some(({ role }) => role !== "content")) continue;
      if (!hasCue && !standsBeforeRegion(read, span.at(-1)!.end)) continue;
      const city = cityKey(fold(span.map(({ written }) => written).join(" ")));
      if (known.facetFrequency(`city:${city}`) === 0) continue;
      cities.push(termsOfCity(city));
      for (const token of span) Object.assign(token, { role: "read", words: [] });
      break;
    }
  }
  return cities;
}

function standsBeforeRegion({ places, plain }: QueryReading, end: number): boolean {
  return places.some(({ level, start }) =>
    level === "region" && start > end && plain.slice(end, start).includes(",") &&
    BEFORE_REGION.test(plain.slice(end, start))
  );
}
