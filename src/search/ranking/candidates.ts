/** Collects the observations that may answer a question, with fewer conditions at each level. */
import type { ObservationHit } from "../engine/collecting.ts";
import { sectorMask } from "../index/document.ts";
import { instantAt, microsecondsOf } from "../index/instants.ts";
import type { SearchFilters } from "../../contract/filters.ts";
import {
  type AskedFacet,
  type AskedWord,
  asksNothing,
  hasSectorFacet,
  type Question,
} from "../reading/question.ts";
import type { Conditions, Gatherer } from "./gatherer.ts";

/**
 * Collects candidates by observation. Records that meet all conditions are collected first, because
 * records with higher scores would otherwise displace them. Conditions are dropped only while there
 * are too few candidates.
 */
export function collectCandidates(
  question: Question,
  { filters, standsForWords, wordsNeeded, gatherer }: {
    filters: SearchFilters;
    /**
     * Words of which a record must hold at least one to be found by words; null: any record may be
     * found.
     */
    wordsNeeded: readonly string[] | null;
    /**
     * True if facets or sectors stand for so many of the words that records are found by them
     * alone.
     */
    standsForWords: boolean;
    gatherer: Omit<Gatherer, "index">;
  },
): Map<number, ObservationHit> {
  const found = new Map<number, ObservationHit>();
  // Without conditions, the whole dataset would be delivered.
  if (asksNothing(question)) return found;
  const companies = new Set<number>();
  const add = (hits: readonly ObservationHit[]) => {
    for (const hit of hits) {
      if (found.has(hit.observation_id)) continue;
      found.set(hit.observation_id, hit);
      if (gatherer.groups) companies.add(hit.company_id);
    }
  };
  const isEnough = () => (gatherer.groups ? companies : found).size >= gatherer.enough;
  const words = searchedWords(question);
  const any_words = wordsNeeded ?? [];
  // A question with few conditions has the same ones at several levels.
  const searched: Conditions[] = [];
  const listed: Conditions[] = [];
  for (const level of levelsOf(question, filters, standsForWords)) {
    for (const conditions of level.alternatives) {
      if (words.length > 0 && isNew(searched, conditions)) {
        searched.push(conditions);
        add(gatherer.search(words, { ...conditions, any_words }));
      }
      if (!level.lists || isEnough() || !isNew(listed, conditions)) continue;
      listed.push(conditions);
      add(gatherer.list(conditions));
    }
    if (isEnough()) break;
  }
  return found;
}

/** Returns whether conditions differ from all known ones. */
function isNew(known: readonly Conditions[], conditions: Conditions): boolean {
  return !known.some((one) => admitAlike(one, conditions));
}

/**
 * Returns whether conditions of one question admit the same records, as far as their parts tell.
 */
function admitAlike(one: Conditions, next: Conditions): boolean {
  return areSame(one.facets ?? [], next.facets ?? []) &&
    (one.sectors ?? 0) === (next.sectors ?? 0) &&
    (one.occurred_before ?? null) === (next.occurred_before ?? null) &&
    (one.closes?.after ?? null) === (next.closes?.after ?? null) &&
    (one.closes?.before ?? null) === (next.closes?.before ?? null) &&
    (one.amount ?? null) === (next.amount ?? null) &&
    areSame(Object.values(one.filters), Object.values(next.filters));
}

/** Returns whether lists hold the same values and lists in the same order. */
function areSame(one: readonly unknown[], next: readonly unknown[]): boolean {
  return one.length === next.length && one.every((value, place) => {
    const beside = next[place];
    return value === beside ||
      (Array.isArray(value) && Array.isArray(beside) && areSame(value, beside));
  });
}

/**
 * Max number of content words of a question for which alternatives are searched. A longer question
 * already says in several ways what it asks for.
 */
const SHORT_WORDS = 4;

/** Count of a word that is not in the question, but is an alternative to its words. */
const FORM_COUNT = 0.4;

/** Returns the content words, followed by those of their alternatives. */
export function searchedWords({ words, alternatives }: Question): AskedWord[] {
  if (words.length > SHORT_WORDS) return words;
  const asked = new Set(words.map(({ text }) => text));
  const forms = new Map<string, number>();
  for (const { words, weight } of alternatives.flatMap(({ forms }) => forms)) {
    for (const word of words) {
      const count = FORM_COUNT * weight / words.length;
      if (!asked.has(word)) forms.set(word, Math.max(forms.get(word) ?? 0, count));
    }
  }
  return [...words, ...forms.entries().map(([text, count]) => ({ text, count }))];
}

/**
 * Returns conditions that admit records which meet all of a question's conditions beside its words.
 */
export function strictConditions(question: Question, filters: SearchFilters): Conditions[] {
  const { hard, strict } = partsOf(question, filters);
  return requiring(strict, hard);
}

/** Returns the conditions of a question, of which its levels consist. */
function partsOf(question: Question, filters: SearchFilters) {
  const { kinds, countries, hostnames, sectors, facets, occurred, closes, amount } = question;
  const attributes: SearchFilters = {
    ...filters,
    kinds: narrower(filters.kinds, kinds),
    countries: narrower(filters.countries, countries),
    domains: narrower(filters.domains, hostnames),
  };
  const strict: Conditions = {
    sectors: hasSectorFacet(facets) ? 0 : sectorMask(sectors),
    occurred_before: occurred.before,
    closes,
    amount,
    filters: inPeriod(attributes, question),
  };
  return {
    /** Facets for which no word stands. */
    hard: facets.filter(({ words }) => words.length === 0),
    /** Facets for which words stand. */
    soft: facets.filter(({ words }) => words.length > 0),
    /** Filters with the kinds, countries and hostnames of the question. */
    attributes,
    /** Attribute filters with periods, amounts and sectors added. */
    strict,
  };
}

interface Level {
  /** Alternative conditions: a record has to meet one of them. */
  alternatives: Conditions[];
  /**
   * True if records without any of the words count, because facets or sectors stand for all words.
   */
  lists: boolean;
}

function levelsOf(
  question: Question,
  filters: SearchFilters,
  standsForWords: boolean,
): Level[] {
  const { hard, soft, attributes, strict } = partsOf(question, filters);
  const isWordless = question.words.length === 0;
  const levels: Level[] = [];
  if (soft.length > 0) {
    levels.push({ alternatives: requiring(strict, [...hard, ...soft]), lists: standsForWords });
    if (soft.length > 1) {
      const each = soft.flatMap((facet) => requiring(strict, [...hard, facet]));
      levels.push({ alternatives: each, lists: standsForWords });
    }
  }
  levels.push({ alternatives: requiring(strict, hard), lists: isWordless });
  if (soft.length > 0) {
    levels.push({
      alternatives: requiring({ filters: attributes }, soft),
      lists: standsForWords,
    });
  }
  levels.push({ alternatives: [{ filters: attributes }], lists: isWordless });
  if (standsForWords) {
    const kinds = narrower(filters.kinds, question.kinds);
    const elsewhere = requiring({ filters: { ...filters, kinds } }, soft);
    levels.push({ alternatives: elsewhere, lists: true });
  }
  if (!isWordless) levels.push({ alternatives: [{ filters }], lists: false });
  return levels;
}

/**
 * Returns conditions that require all facets: one for each choice between facet terms and sectors.
 */
function requiring(base: Conditions, facets: readonly AskedFacet[]): Conditions[] {
  const terms = facets.map(({ any }) => any).filter((any) => any.length > 0);
  const masks = [base.sectors ?? 0, ...facets.map(({ sectors }) => sectorMask(sectors))]
    .filter((mask) => mask !== 0);
  const all: Conditions[] = [{ ...base, facets: terms }];
  if (masks.length === 0) return all;
  const withoutSectors = facets.filter(({ any, sectors }) =>
    any.length > 0 && sectors.length === 0
  );
  const common = masks.reduce((both, mask) => both & mask);
  // A record meets sectors without a common one only if it belongs to several.
  const sectors = common !== 0 ? common : masks.reduce((both, mask) => both | mask);
  const bySectors = { ...base, facets: withoutSectors.map(({ any }) => any), sectors };
  return terms.length > withoutSectors.length ? [...all, bySectors] : [bySectors];
}

/** Adds the classes of demand and the start of the period of a question to filters. */
function inPeriod(
  filters: SearchFilters,
  { demand_classes, occurred: { after } }: Question,
): SearchFilters {
  // The filter excludes its bound, but a period includes its beginning.
  const since = after === null ? null : instantAt(microsecondsOf(after) - 1);
  const bounds = [filters.occurred_after, since].filter((bound) => bound !== null);
  return {
    ...filters,
    demand_classes: narrower(filters.demand_classes, demand_classes),
    occurred_after: bounds.sort().at(-1) ?? null,
  };
}

/**
 * Returns the common values of two lists. An empty list does not restrict. If there is no common
 * value, the filter takes precedence over the question.
 */
function narrower<Value>(admitted: Value[], asked: Value[]): Value[] {
  if (asked.length === 0) return admitted;
  if (admitted.length === 0) return asked;
  const both = admitted.filter((value) => asked.includes(value));
  return both.length === 0 ? admitted : both;
}
