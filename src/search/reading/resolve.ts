/**
 * Completes a reading by an index: its names, spelling, industries, technologies and cities.
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
 * Returns the question of a reading. Rules do not read places, rounds and sectors within a name
 * that the index contains.
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
  const reading = spans.some((span) => containsReading(span, read))
    ? withCorrections(
      {
        ...readQuery(read.query, read.now, [...spans, ...wordSpans]),
        planned: read.planned,
      },
      read.tokens,
    )
    : read;
  const { planned } = reading;
  const cities = resolveCities(reading, known);
  const content = reading.tokens.filter(({ role }) => role === "content");
  const written = content.length > 0
    ? askedWords(content.flatMap(({ words }) => words))
    : cities.length > 0
    ? []
    : reading.question.words;
  const words = planned === undefined
    ? written
    : plannedWords(planned.words, { content: written, corrections });
  const indexes = new Map(words.map(({ text }, index) => [text, index]));
  for (const index of purposesOf(reading, indexes)) words[index]!.is_purpose = true;
  const isNamed = (token: QueryToken) =>
    spans.some((span) => !span.is_trade && isWithin(token, span));
  const context = { read: reading, known, indexes, isNamed };
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
  const wordFacets = [...technologies, ...resolveWorkplaces(context), ...trades.facets];
  const facets: AskedFacet[] = [
    ...reading.question.facets,
    ...cities.map((any) => ({ any, sectors: [], words: [] })),
    // A planner may leave out the words that a facet stands for.
    ...wordFacets.filter(({ words }) => planned === undefined || words.length > 0),
  ];
  return {
    ...reading.question,
    ...planned,
    words,
    alternatives: withoutGenericForms(
      textsOf(words),
      planned === undefined
        ? alternativesInStretches(reading, words, indexes)
        : alternativesOf(textsOf(words)),
    ),
    choices: planned === undefined ? choicesOf(reading, indexes) : [],
    pairs: pairsOf(reading.plain, reading.tokens),
    facets,
    sectors: planned?.sectors ?? trades.sectors,
    names: [...new Set([...spans.map(({ term }) => term), ...tickers])],
    corrections,
  };
}

/**
 * Returns a planner's words, with the corrections of the query. Words whose stems are not in the
 * query are marked as added. If no word has a stem of the query, none is marked.
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

/** Returns the alternatives of words in the same stretch of the query (see choices.ts). */
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
 * Drops related forms that only replace words of the query by generic ones. For "security guards",
 * the form "security services" is no more specific than "security".
 */
function withoutGenericForms(
  texts: readonly string[],
  alternatives: Question["alternatives"],
): Question["alternatives"] {
  return alternatives.map((one) => {
    const isAsked = formsOf(texts.slice(one.from, one.to));
    const isSpecific = ({ words, weight }: Form) => {
      // Most related forms have no generic word. This is checked first, because it is faster than
      // comparing stems.
      if (weight === SAME_WEIGHT || !words.some(isGeneric)) return true;
      const others = words.filter((word) => !isAsked(word));
      return others.length === words.length || others.length === 0 || !others.every(isGeneric);
    };
    return one.forms.every(isSpecific) ? one : { ...one, forms: one.forms.filter(isSpecific) };
  });
}

function textsOf(words: readonly AskedWord[]): string[] {
  return words.map(({ text }) => text);
}

/** Finds words such as "aurora" that were read as cities, although no record is located there. */
function placesMeantAsWords({ places, plain }: QueryReading, known: KnownTerms): Span[] {
  return places.filter(({ needs_cue, any, start, end }, place) =>
    needs_cue && !(places[place + 1] !== undefined && places[place + 1]!.start <= end + 3) &&
    any.every((term) => known.facetFrequency(term) === 0) &&
    wordsOf(fold(plain.slice(start, end))).every(({ text }) => known.wordFrequency(text) > 0)
  );
}

/** Copies a reading with its tokens, because resolve() changes the tokens in place. */
function copyOf(read: QueryReading): QueryReading {
  return { ...read, tokens: read.tokens.map((token) => ({ ...token })) };
}

/**
 * Returns whether rules have read a part of a name, or taken it for filler. A name of one word
 * counts only if it begins with digits and a letter, such as "3M".
 */
function containsReading(span: NameSpan, { tokens }: QueryReading): boolean {
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
 * Finds cities that the index contains, but that no table of places lists. They follow a word such
 * as "in", or precede a region. Their tokens become facets, so that their words are not searched
 * for.
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
      if (!hasCue && !precedesRegion(read, span.at(-1)!.end)) continue;
      const city = cityKey(fold(span.map(({ written }) => written).join(" ")));
      if (known.facetFrequency(`city:${city}`) === 0) continue;
      cities.push(termsOfCity(city));
      for (const token of span) Object.assign(token, { role: "read", words: [] });
      break;
    }
  }
  return cities;
}

function precedesRegion({ places, plain }: QueryReading, end: number): boolean {
  return places.some(({ level, start }) =>
    level === "region" && start > end && plain.slice(end, start).includes(",") &&
    BEFORE_REGION.test(plain.slice(end, start))
  );
}
