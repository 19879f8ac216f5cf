/** What is asked: words as terms with their weights, and who wants the answer. */
import { type Key, keyOf } from "./dictionary.ts";
import { K, type Totals } from "./fields.ts";
import type { Segment } from "./segment.ts";
import { LANGUAGES, stem } from "./tokens.ts";

/** More distinct words add cost and hardly any meaning. */
export const WORDS_MAX = 96;

/**
 * How soon repetitions of a word in a question stop counting: two count REPEATS + 1 over
 * (REPEATS + 2) / 2 times as much as one, and no number of them more than REPEATS + 1 times.
 */
const REPEATS = 16;

/** A folded word, and how often a question has it. */
export interface AskedWord {
  text: string;
  count: number;
}

/** A stem of a word in one language. */
export interface Term {
  /** The place of its word. */
  word: number;
  key: Key;
}

/** Words asked for lately, with their stems by language: the French rules take microseconds. */
const remembered = new Map<string, readonly string[]>();
const REMEMBERED_MAX = 4_096;

/** The stems of a word by language, in the order of LANGUAGES. */
export function stemsOf(word: string): readonly string[] {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const stems = LANGUAGES.map((language) => stem(word, language));
  if (remembered.size === REMEMBERED_MAX) remembered.clear();
  remembered.set(word, stems);
  return stems;
}

/** The terms of a question, and how often it has each of its words. */
export interface AskedTerms {
  terms: Term[];
  /** By word: see REPEATS. */
  counts: number[];
}

/**
 * Returns the stems of words in every language, by word and then language: a text is indexed under
 * its own one only. A word whose stems have all been met adds its count to the word that had the
 * first of them. A text without a count counts once.
 *
 * @param words folded, as `words` makes them; those beyond WORDS_MAX are left out
 */
export function askedTerms(words: readonly (string | AskedWord)[]): AskedTerms {
  const seen = LANGUAGES.map(() => new Map<string, number>());
  const counts: number[] = [];
  const terms = words.slice(0, WORDS_MAX).flatMap((word, place) => {
    const { text, count } = typeof word === "string" ? { text: word, count: 1 } : word;
    const stems = stemsOf(text);
    const fresh = stems.flatMap((stem, space) => {
      if (seen[space]!.has(stem)) return [];
      seen[space]!.set(stem, place);
      return [{ word: place, key: keyOf(space, stem) }];
    });
    counts[place] = count;
    if (fresh.length === 0) counts[seen[0]!.get(stems[0]!)!]! += count;
    return fresh;
  });
  return { terms, counts };
}

/** Returns the terms of words that count once each: see askedTerms. */
export function termsOf(words: readonly string[]): Term[] {
  return askedTerms(words).terms;
}

/** What a document's occurrences of a word are worth at most; 0 where no document holds it. */
function weightOf(frequency: number, { documents }: Totals): number {
  const found = Math.min(frequency, documents);
  return found === 0 ? 0 : (K + 1) * Math.log(1 + (documents - found + 0.5) / (found + 0.5));
}

/** What scores ask of all documents together. */
export interface Statistics {
  totals: Totals;
  /** By field: see Totals. */
  averages: Float64Array;
  /** Made of the averages: see lengthFactors. */
  factors: Float64Array;
  /** By level: the share of a word's worth that a posting adds at most, in any segment. */
  shares: Float64Array;
}

/** A term that documents hold. */
export interface WeightedTerm extends Term {
  /** What its word is worth at most. */
  weight: number;
  /** By level: what a posting adds to a sum (see scan.ts), never less than to the score. */
  adds: Uint16Array;
}

/** Terms with their weights, all of one scale: what sums are of scores. */
export interface WeightedQuestion {
  terms: readonly WeightedTerm[];
  scale: number;
}

/** Sums stay within 16 bits, whatever is rounded up. */
const SUM_MAX = 65_000;

/** Returns what a word counts that a question has so many times; once: 1. */
export function repeatedWeight(count: number): number {
  return (REPEATS + 1) * count / (REPEATS + count);
}

/** @param frequencies by word: how many documents hold its stems */
export function weigh(
  { terms, counts }: AskedTerms,
  { frequencies, statistics }: { frequencies: readonly number[]; statistics: Statistics },
): WeightedQuestion {
  const weights = frequencies.map((frequency, word) =>
    weightOf(frequency, statistics.totals) * repeatedWeight(counts[word]!)
  );
  const held = terms.filter(({ word }) => weights[word]! > 0);
  const scale = SUM_MAX / held.reduce((sum, { word }) => sum + weights[word]!, 0);
  return {
    scale,
    terms: held.map((term) => {
      const weight = weights[term.word]!;
      const adds = new Uint16Array(256);
      for (let level = 0; level < 256; level++) {
        adds[level] = Math.floor(weight * statistics.shares[level]! * scale) + 1;
      }
      return { ...term, weight, adds };
    }),
  };
}

/**
 * Takes scored observations. A search offers it every observation that is admitted and scores at
 * least `threshold` at the time, and may offer others.
 */
export interface Collector {
  /** What scores less is not wanted any more; never falls. */
  readonly threshold: number;
  /**
   * Tells whether all documents of a company are of one segment. Companies are then compared by what
   * their documents score together. Null: documents are collected one by one.
   */
  readonly isInOneSegment: ((company: number) => boolean) | null;
  /** Whether a document that scores at most so much is wanted. */
  wants(segment: Segment, document: number, bound: number): boolean;
  /** Notes that a document which scores at most so much was left out, as its company falls short. */
  noteLeft(bound: number): void;
  /** @returns false where it may still come to be wanted, and is then to be offered again */
  offer(observationId: number, companyId: number, score: number): boolean;
}
