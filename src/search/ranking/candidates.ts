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
 * Collects candidates by observation id. Records that meet all conditions are collected first, so
 * that other records with higher scores do not displace them. Conditions are dropped only while
 * there are too few candidates.
 */
export function collectCandidates(
  question: Question,
  { filters, standsForWords, wordsNeeded, gatherer }: {
    filters: SearchFilters;
    /**
     * Words of which a record must contain at least one to be found by words; null if any word of
     * the question suffices.
     */
    wordsNeeded: readonly string[] | null;
    /**
     * True if facets and sectors stand for so many of the words that records without any of the
     * words are found.
     */
    standsForWords: boolean;
    gatherer: Omit<Gatherer, "index">;
  },
): Map<number, ObservationHit> {
  const found = new Map<number, ObservationHit>();
  // A question without conditions would admit the whole dataset.
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
  // Conditions that were searched or listed. A question with few conditions repeats them at several
  // levels.
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

/** Returns whether conditions differ from all known conditions. */
function isNew(known: readonly Conditions[], conditions: Conditions): boolean {
  return !known.some((one) => admitAlike(one, conditions));
}

/**
 * Returns whether two conditions of one question have equal parts, so that they admit the same
 * records.
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

/** Returns whether lists contain the same values in the same order. Values may be lists. */
function areSame(one: readonly unknown[], next: readonly unknown[]): boolean {
  return one.length === next.length && one.every((value, place) => {
    const counterpart = next[place];
    return value === counterpart ||
      (Array.isArray(value) && Array.isArray(counterpart) && areSame(value, counterpart));
  });
}

/**
 * Max number of content words of a question for which its alternatives (synonyms and related terms)
 * are searched for. A longer question already contains several words for its subject.
 */
const SHORT_WORDS = 4;

/**
 * Count of a word that only an alternative contains. It is multiplied by the weight of the
 * alternative. A word of the question counts 1 per occurrence.
 */
const FORM_COUNT = 0.4;

/** Returns the content words of a question, followed by the words of their alternatives. */
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
 * Returns alternative conditions. They admit the records that meet all conditions of a question
 * other than its words.
 */
export function strictConditions(question: Question, filters: SearchFilters): Conditions[] {
  const { hard, strict } = partsOf(question, filters);
  return requiring(strict, hard);
}

/** Returns the conditions from which the levels of a question are composed. */
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
    /** Facets that are separate conditions: see AskedFacet.words. */
    hard: facets.filter(({ words }) => words.length === 0),
    /** Facets that stand for content words of the question. */
    soft: facets.filter(({ words }) => words.length > 0),
    /** Filters with the kinds, countries and hostnames of the question. */
    attributes,
    /** Attribute filters with periods, amounts and sectors added. */
    strict,
  };
}

/** Conditions that are searched together. */
interface Level {
  /** Alternative conditions: a record has to meet one of them. */
  alternatives: Conditions[];
  /** True if records without any of the words are also candidates. */
  lists: boolean;
}

/**
 * Returns the levels of a question, from its strictest conditions to its loosest. If the question
 * has words, the last level has only the filters.
 */
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
 * Returns alternative conditions that require all facets: by facet terms, and by sectors for the
 * facets that have sectors.
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
  // If the masks have no sector in common, records of any of their sectors are admitted. Only a
  // record of several sectors could meet all masks.
  const sectors = common !== 0 ? common : masks.reduce((both, mask) => both | mask);
  const bySectors = { ...base, facets: withoutSectors.map(({ any }) => any), sectors };
  return terms.length > withoutSectors.length ? [...all, bySectors] : [bySectors];
}

/** Adds the classes of demand and the start of the period of a question to filters. */
function inPeriod(
  filters: SearchFilters,
  { demand_classes, occurred: { after } }: Question,
): SearchFilters {
  // The filter excludes its bound, but a period includes its start.
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
