/** The question of a query: its content words, facets, periods, amounts and names. */
import type { Choice } from "./choices.ts";
import type { Alternatives } from "../trades/alternatives.ts";
import type { Country, DemandClass, Kind, Sector } from "../../contract/vocabulary.ts";

/** Maximum number of distinct content words of a question. */
export const ASKED_WORDS_MAX = 96;

/** A content word, folded as words() of engine/text.ts returns it. */
export interface AskedWord {
  text: string;
  /** Number of times that the word occurs in the query. */
  count: number;
  /** True if a planner added the word. A record need not contain the word. */
  added?: boolean;
  /**
   * True if the word only states the purpose of the subject: "food" and "processing" in "packaging
   * for food processing".
   */
  is_purpose?: boolean;
}

/**
 * A requested facet. A record meets the facet if it has one of the facet terms or belongs to one of
 * the sectors.
 */
export interface AskedFacet {
  /** Facet terms, the most exact one first. Empty if only the sectors meet the facet. */
  any: string[];
  /** Sectors that also meet the facet. */
  sectors: Sector[];
  /**
   * Indexes of the content words that the facet stands for. A record that meets the facet meets
   * these words. A record that contains the words instead does not contradict the facet. Empty if
   * the facet is a separate condition.
   */
  words: number[];
  /** True if the query means the companies of the sectors, not only their activity. */
  names_companies?: boolean;
}

/**
 * Returns whether one of the facets has sectors. If so, the `sectors` of the question add no
 * condition.
 */
export function hasSectorFacet(facets: readonly AskedFacet[]): boolean {
  return facets.some(({ sectors }) => sectors.length > 0);
}

/** A period: at or after one instant and strictly before another (form: contract/instant.ts). */
export interface AskedPeriod {
  after: string | null;
  before: string | null;
}

/** Returns whether a period has no bounds. */
export function isOpen({ after, before }: AskedPeriod): boolean {
  return after === null && before === null;
}

/** Bounds of an amount of money, both inclusive. */
export interface AskedAmount {
  min: number | null;
  max: number | null;
}

/** A misspelt word or name, and its replacement. */
export interface Correction {
  from: string;
  to: string;
}

/** Parsed query. A record should meet all facets, each by any of its terms. */
export interface Question {
  /** Content words in order of first mention. */
  words: AskedWord[];
  /** Synonyms and related terms of spans of the content words. */
  alternatives: Alternatives[];
  /** Words joined by "and" or "or", of which a record needs only one operand. */
  choices: Choice[];
  /** Pairs of neighbouring words. One of the two may be a single letter or digit. */
  pairs: [string, string][];
  /** Words of each quotation, in their order. */
  phrases: string[][];
  /** Unwanted phrases, in folded words. */
  excluded: string[][];
  /** Facet terms of the places and rounds that the query does not want. */
  excluded_facets: string[];
  /** Kinds that the query does not want. */
  excluded_kinds: Kind[];
  /** Countries that the query does not want. */
  excluded_countries: Country[];
  hostnames: string[];
  kinds: Kind[];
  countries: Country[];
  demand_classes: DemandClass[];
  /** Requested sectors. Empty if the query names an industry that the index contains. */
  sectors: Sector[];
  facets: AskedFacet[];
  occurred: AskedPeriod;
  closes: AskedPeriod;
  amount: AskedAmount | null;
  /** Facet terms of names and tickers that the index contains. */
  names: string[];
  corrections: Correction[];
}

/**
 * Returns whether a question, such as that of "the of", has no conditions. Phrases do not count,
 * because the content words of quotations are in `words`.
 */
export function asksNothing(question: Question): boolean {
  const { words, hostnames, kinds, countries, demand_classes, sectors, facets, names } = question;
  const { excluded, excluded_facets, occurred, closes, amount } = question;
  const lists = [words, hostnames, kinds, countries, demand_classes, sectors, facets, names];
  return [...lists, excluded, excluded_facets].every(({ length }) => length === 0) &&
    isOpen(occurred) && isOpen(closes) && amount === null;
}

/** Lookups in an index that resolve() needs. */
export interface KnownTerms {
  /** Returns the number of documents that contain a facet term. */
  facetFrequency(facetTerm: string): number;
  /** Returns the number of documents that contain a folded word or a form of it. */
  wordFrequency(word: string): number;
  /** Returns the nearest known name key, at most two errors away, without its prefix `name:`. */
  nearestName(key: string): string | undefined;
  /** Returns the nearest known word, at most two errors away. */
  nearestWord(word: string): string | undefined;
}

/** Describes a question for the log: counts and values of closed vocabularies, no words. */
export function questionFields(question: Question): Record<string, string | number> {
  const { words, phrases, excluded, hostnames, facets, kinds, countries } = question;
  return {
    words: words.length,
    phrases: phrases.length,
    excluded: excluded.length,
    hostnames: hostnames.length,
    facets: facets.length,
    kinds: kinds.join(" "),
    countries: countries.join(" "),
  };
}
