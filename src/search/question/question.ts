/**
 * Defines a question: a list of units with the ways in which a record can meet each of them.
 * Readers (read_question.ts) add ways, conditions and exclusions. Only exclusions take words away.
 */
import { type Country, type Kind, KINDS } from "../../contract/vocabulary.ts";

/** Max number of units of a question. Words after them are ignored, which bounds a search's work. */
export const UNITS_MAX = 48;

/**
 * Max number of ways of a unit. Those that readers have found stay, then the most similar ones. The
 * words of a language model come on top (withPlan).
 */
export const WAYS_MAX = 32;

/** Forms of the unit's words. "words" are those that the caller wrote. */
type FormOrigin = "words" | "compound" | "spelling";
/**
 * The two tables of words. The words of a language model count as "learned", and the names of
 * foreign countries as "written".
 */
type TableOrigin = "written" | "learned";
/** Facts of records. */
type FactOrigin = "name" | "kind" | "sector" | "technology" | "place" | "round" | "role";

/** One way in which a record can meet a unit: it contains an index term (terms.ts). */
export interface Way {
  origin: FormOrigin | TableOrigin | FactOrigin;
  /** Words or value of the way, for explanations: "attorney", "region:US-TX". */
  text: string;
  /** Keys of index terms of which a record needs one. */
  keys: readonly number[];
  /** Share of the unit's weight that this way is worth, above 0 and at most 1. */
  similarity: number;
}

/** Tells whether a way names kinds of records for certain. */
export function isCertainKind({ origin, similarity }: Way): boolean {
  return origin === "kind" && similarity === 1;
}

/** Returns the places in KINDS of the kinds that a way names. */
export function kindsOf({ origin, text }: Way): number[] {
  if (origin !== "kind") return [];
  return text.split(" ").map((term) => KINDS.indexOf(term.slice("kind:".length) as Kind));
}

/** A word of the query that is not a stop word. */
export interface Unit {
  /** The word as the caller wrote it, in lower case with its accents. */
  text: string;
  /**
   * True if the word only frames the question ("companies looking for", "qui cherchent"). Such a
   * unit has weight 0, and is looked up only if the question consists of nothing else. It may still
   * name a kind or a place: "that raised" frames a question for funding rounds, "new" is a part of
   * New York.
   */
  is_filler: boolean;
  ways: Way[];
  /** Index of the condition in Question.conditions that this unit belongs to; undefined: none. */
  condition?: number;
}

/** A place of a condition. An absent member is not asked for. */
export interface AskedPlace {
  country?: Country;
  /** Region with its country, such as "US-TX". */
  region?: string;
  /** City key or metropolitan area key as in the index's facet terms. */
  city?: string;
  metro?: string;
}

/**
 * A part of the question that a record meets, contradicts or is silent about. Instants are
 * microseconds since the epoch; Infinity means an open end.
 */
export type Condition =
  | { on: "place"; places: readonly AskedPlace[] }
  | { on: "occurred"; after: number; before: number }
  | { on: "closes"; after: number; before: number }
  /** Bounds are inclusive, in units of any currency. */
  | { on: "amount"; min: number; max: number }
  /**
   * Names of which the record's text needs one: of each word, the keys of its forms. It must not
   * contain the phrases `but`, such as "New Mexico".
   */
  | {
    on: "text";
    names: readonly (readonly (readonly number[])[])[];
    but: readonly (readonly number[])[];
    text: string;
  }
  /** Keys of index terms (`round:series_a`, `role:cfo`) of which a record needs one. */
  | { on: "round" | "role"; keys: readonly number[]; text: string };

/** Something that the question does not want. A record that has it is not delivered. */
export type Exclusion =
  /** Each element is a way of the excluded word or phrase; keys as in Way. */
  | { on: "words"; text: string; ways: readonly Way[] }
  | { on: "kind"; kinds: readonly Kind[] }
  | { on: "place"; places: readonly AskedPlace[] };

/** A query, read once. */
export interface Question {
  query: string;
  units: Unit[];
  conditions: Condition[];
  excluded: Exclusion[];
  /**
   * Quoted phrases, each with the keys of its words in every language. A record that does not contain
   * one of them word for word is not delivered.
   */
  phrases: number[][][];
  /** True if a word without postings was corrected. */
  corrected: boolean;
}

/** Part of an index that readers use. */
export interface IndexedWords {
  /** Returns the number of records with a term. It may count records that were removed since. */
  frequency(key: number): number;
  /** Returns at most three indexed words near a misspelled, folded one, the best first. */
  corrections(word: string): readonly string[];
}
