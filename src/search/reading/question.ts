/** The question of a query: its content words, facets, periods, amounts and names. */
import type { Choice } from "./choices.ts";
import type { Alternatives } from "../trades/alternatives.ts";
import type { Country, DemandClass, Kind, Sector } from "../../contract/vocabulary.ts";

/** Maximum number of distinct content words of a question. */
export const ASKED_WORDS_MAX = 96;

/** A content word, folded as words() of engine/text.ts gives it. */
export interface AskedWord {
  text: string;
  /** Number of times that the word occurs in the query. */
  count: number;
  /** True if a planner added the word. A record that does not hold it loses nothing. */
  added?: boolean;
  /**
   * True if the word only tells what the subject is for: "food processing" behind "packaging for".
   */
  is_purpose?: boolean;
}

/**
 * A facet that is asked for. A record meets it if it holds one of the facet terms or belongs to one
 * of the sectors.
 */
export interface AskedFacet {
  /** Facet terms, the most exact one first. Empty if only the sectors meet the facet. */
  any: string[];
  /** Sectors that meet the facet as well as a term does. */
  sectors: Sector[];
  /**
   * Indexes of the content words that the facet stands for. A record with such a facet meets these
   * words. A record with the words instead does not contradict the facet. Empty: the facet is a
   * condition of its own.
   */
  words: number[];
  /** True if companies of the sectors are meant, and not what they do. */
  names_companies?: boolean;
}

/**
 * Returns whether sectors meet one of the facets. The sectors of the question then add no
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
  /** Other ways to say spans of the content words. */
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
  /** Sectors that the query asks for and that no facet term stands for. */
  sectors: Sector[];
  facets: AskedFacet[];
  occurred: AskedPeriod;
  closes: AskedPeriod;
  amount: AskedAmount | null;
  /** Names and tickers as facet terms that the index holds. */
  names: string[];
  corrections: Correction[];
}

/**
 * Returns whether a question, such as "the of", has no conditions. Quoted words that are not
 * searched for are no condition.
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
  /** Returns the number of documents that hold a facet term. */
  facetFrequency(facetTerm: string): number;
  /** Returns the number of documents that hold a folded word or a form of it. */
  wordFrequency(word: string): number;
  /** Returns the nearest known name key, without its prefix `name:`. */
  nearestName(key: string): string | undefined;
  /** Returns the nearest known word. */
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
