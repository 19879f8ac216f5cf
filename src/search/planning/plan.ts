/** What a query asks for, whoever reads it: the built-in rules or a language model. */
import type { Country, DemandClass, Kind, Sector } from "../../contract/vocabulary.ts";

/** More distinct words add cost and hardly any meaning. */
export const TERMS_MAX = 32;
/** Phrases, excluded words and hostnames: each at most so many. */
export const PARTS_MAX = 8;
/** Words of a phrase, and of what is excluded. */
export const PHRASE_WORDS_MAX = 8;

/** What a search looks for. A plan never widens, narrows or replaces the filters of its search. */
export interface Plan {
  /**
   * Distinct folded words (see engine/tokens.ts), at most 32, any of which may match. None: the
   * query consists of stop words, symbols and what it does not want, and no word finds anything.
   */
  terms: string[];
  /**
   * The terms that say what the query is about: all but names of kinds, places and sectors. If there
   * are some and no admitted observation holds one, the search finds nothing. Absent: not known.
   */
  content?: string[];
  /** Quoted words in their order, folded; what holds all words of a phrase is preferred. */
  phrases: string[][];
  /** What the query wants nothing to do with, in folded words; what holds all of one is put behind. */
  excluded: string[][];
  /** Normalized; companies that hold one are found whatever their words, and preferred. */
  hostnames: string[];
  /** The best of these kinds are found whatever their words: the query names them. */
  named_kinds: Kind[];
  preferences: Preferences;
}

/** What is preferred where it is found: a boost, never a condition. Empty and null: no preference. */
export interface Preferences {
  kinds: Kind[];
  countries: Country[];
  demand_classes: DemandClass[];
  sectors: Sector[];
  /** Instants (form: contract/instant.ts), at or after and strictly before. */
  occurred_after: string | null;
  occurred_before: string | null;
}

/** A plan of words alone. */
export function planOfTerms(terms: string[]): Plan {
  return {
    terms,
    phrases: [],
    excluded: [],
    hostnames: [],
    named_kinds: [],
    preferences: noPreferences(),
  };
}

export function noPreferences(): Preferences {
  return {
    kinds: [],
    countries: [],
    demand_classes: [],
    sectors: [],
    occurred_after: null,
    occurred_before: null,
  };
}

/** Returns the shape of a plan for the log: counts and values of closed vocabularies, no words. */
export function planFields(plan: Plan): Record<string, string | number> {
  const { terms, phrases, excluded, hostnames, preferences } = plan;
  return {
    terms: terms.length,
    phrases: phrases.length,
    excluded: excluded.length,
    hostnames: hostnames.length,
    kinds: preferences.kinds.join(" "),
    countries: preferences.countries.join(" "),
  };
}
