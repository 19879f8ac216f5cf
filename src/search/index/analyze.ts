/** Analyzes a document into index terms with impacts, and the stream of its words. */
import { isKnownPhrase } from "../words/similar.ts";
import { type Language, stem } from "../words/stems.ts";
import { keyOf } from "../words/terms.ts";
import { isContent, languageOf, type Word, wordsOf, writtenForm } from "../words/tokens.ts";
import { type DocumentNumbers, numbersOf, type ObservationDocument } from "./document.ts";

/**
 * A document as an index stores it. Thousands of them wait for their segment, so terms and words are
 * in typed arrays and one string: a Map, a Set and an array of numbers take four times as much (8,192
 * real records, 2026-11-28).
 */
export interface AnalyzedDocument {
  numbers: DocumentNumbers;
  keys: Float64Array;
  /** Impact of each term, from 1 to 255. */
  impacts: Uint8Array;
  /** Distinct folded words that can correct a spelling, separated by spaces. */
  words: string;
  /** Lower 16 bits of the keys of the content words: of the name, the fact, then the texts. */
  stream: Uint16Array;
}

/**
 * Weight of a word in a field, as in the sketch from which the search was designed, and the mean
 * number of its content words over the real records. Two of three texts have fewer than 60 words.
 */
const FIELDS = {
  company: { weight: 3, mean: 3 },
  fact: { weight: 2, mean: 10 },
  why: { weight: 0.3, mean: 10 },
  text: { weight: 1, mean: 60 },
};

/** Parameters of BM25. They have the values that are usual for texts of very different lengths. */
const K = 1.2;
const B = 0.75;

/** Max number of words of a document's stream. Later words count, but have no neighbours. */
export const STREAM_MAX = 400;

/** Lengths of words that can correct a spelling. */
const SPELLED = /^[\p{L}]{3,24}$/u;

/** Pattern of the label at the start of a line: "Industry group: ". */
const LABEL = /^[^:\n]{1,60}: /gm;

/** Pattern of a text that lists values with labels. */
const TABLE = /^(?:[^:\n]{1,60}: .*(?:\n|$)){3,}$/;

/** Pattern of the name of a column: labels beside it say nothing about this record. */
const COLUMN_NAME = /^\w*(?:_|[a-z][A-Z])\w*: /m;

function tokenized(text: string) {
  return { text, words: wordsOf(text) };
}

/** Returns the terms and words of a document. */
export function analyze(document: ObservationDocument): AnalyzedDocument {
  const { company, observed_fact, why_it_may_matter, texts } = document;
  const weights = new Map<number, number>();
  const spelled = new Set<string>();
  const stream: number[] = [];
  const read = (
    { text, words }: ReturnType<typeof tokenized>,
    { weight, mean }: typeof FIELDS.company,
    language: Language,
  ): void => {
    const counts = new Map<number, number>();
    const stems: string[] = [];
    let last: Word | undefined;
    for (const word of words) {
      if (!isContent(word, language)) continue;
      if (SPELLED.test(word.folded)) spelled.add(word.folded);
      const stemmed = stem(writtenForm(word), language);
      const key = keyOf(`${language}:${stemmed}`);
      stems.push(stemmed);
      count(counts, key);
      if (stream.length < STREAM_MAX) stream.push(key & 0xffff);
      // A hyphenated compound is also known in its closed form.
      if (last !== undefined && text[last.end] === "-" && last.end + 1 === word.start) {
        count(counts, keyOf(`${language}:${stem(last.folded + word.folded, language)}`));
      }
      last = word;
      for (const length of [2, 3]) {
        const phrase = keyOf(`${language}:${stems.slice(-length).join(" ")}`);
        if (stems.length >= length && isKnownPhrase(phrase)) count(counts, phrase);
      }
    }
    const norm = 1 - B + B * stems.length / mean;
    for (const [key, occurrences] of counts) {
      weights.set(key, (weights.get(key) ?? 0) + weight * occurrences / norm);
    }
  };
  const [name, fact, why] = [company, observed_fact, why_it_may_matter].map(tokenized);
  const all = texts.map(tokenized);
  const language = languageOf([fact!, why!, ...all.slice(0, 1)].flatMap(({ words }) => words));
  read(name!, FIELDS.company, "en");
  read(fact!, FIELDS.fact, language);
  for (const one of all) {
    const isTable = COLUMN_NAME.test(one.text) && TABLE.test(one.text);
    const values = isTable ? tokenized(one.text.replaceAll(LABEL, "")) : one;
    read(values, FIELDS.text, languageOf(one.words));
  }
  const length = stream.length;
  // A name has no language, so it is found by the stems of both.
  read(name!, FIELDS.company, "fr");
  read(why!, FIELDS.why, language);
  stream.length = length;
  const impacts = new Map<number, number>();
  for (const [key, weight] of weights) {
    impacts.set(key, Math.max(1, Math.round(255 * weight / (weight + K))));
  }
  for (const term of factsOf(document)) impacts.set(keyOf(term), 255);
  return {
    numbers: numbersOf(document),
    keys: Float64Array.from(impacts.keys()),
    impacts: Uint8Array.from(impacts.values()),
    words: [...spelled].join(" "),
    stream: Uint16Array.from(stream),
  };
}

function count(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Yields the terms of a document that are not words. The terms `states:NAME` tell records that are
 * silent about a facet from those that state another value.
 */
function* factsOf({ facets, hostnames, kind, country, sectors }: ObservationDocument) {
  yield* facets;
  for (const facet of facets) yield `states:${facet.slice(0, facet.indexOf(":"))}`;
  for (const hostname of hostnames) yield `host:${hostname}`;
  yield `kind:${kind}`;
  yield `country:${country}`;
  for (const sector of sectors) yield `sector:${sector}`;
}
