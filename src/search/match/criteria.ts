/**
 * States which records a search may deliver as predicates: those that pass the filters, have not
 * expired, meet no exclusion and contradict no condition of the question. Memory and a cluster both
 * evaluate these predicates, so no rule exists twice.
 */
import type { SearchFilters } from "../../contract/filters.ts";
import { COUNTRIES, DEMAND_CLASSES, KINDS } from "../../contract/vocabulary.ts";
import { microsecondsOf } from "../index/document.ts";
import type { AskedPlace, Condition, Exclusion, Question } from "../question/question.ts";
import { keyOf } from "../words/terms.ts";

/** Filters of a search, and the instant from which records have expired. */
export interface RecordFilters extends SearchFilters {
  /** Instant (form: contract/instant.ts). */
  now: string;
}

/** Fields of records with numbers. Instants are whole microseconds since 1970. */
type NumberField = "occurred_at" | "observed_at" | "expires_at" | "closes_at" | "amount";

/** Values of the fields that state one of a few. */
const LISTS = { kind: KINDS, country: COUNTRIES, demand_class: DEMAND_CLASSES } as const;

type ListedField = keyof typeof LISTS;

/** Something that is true or false of a record. */
export type Predicate =
  | { any: readonly Predicate[] }
  | { all: readonly Predicate[] }
  | { not: Predicate }
  /** The record has one of the index terms with these keys. */
  | { terms: readonly number[] }
  | FieldPredicate;

/** A predicate about fields of a record, which is tested record by record. */
export type FieldPredicate =
  /** The record's words contain one of these sequences, each of the lower 16 bits of keys. */
  | { phrases: readonly (readonly number[])[] }
  | { company_ids: readonly number[] }
  /** The record has one of the values, which are places in LISTS. */
  | { field: ListedField; values: readonly number[] }
  /** The record states a number within inclusive bounds. */
  | { field: NumberField; min: number; max: number };

/** Predicates about a condition. A record of which neither is true contradicts the condition. */
interface ConditionCriteria {
  meets: Predicate;
  silent: Predicate;
}

/** Predicates of a search. */
export interface Criteria {
  /** All of them are true of an admitted record. */
  required: Predicate[];
  conditions: ConditionCriteria[];
}

/** @param companiesWith returns the companies with one of the hostnames in unexpired records */
export function criteriaOf(
  { conditions, excluded, phrases }: Pick<Question, "conditions" | "excluded" | "phrases">,
  filters: RecordFilters,
  companiesWith: (hostnames: readonly string[]) => readonly number[],
): Criteria {
  return {
    required: [
      ...filterPredicates(filters, companiesWith),
      ...excluded.map((exclusion) => ({ not: exclusionPredicate(exclusion) })),
      ...phrases.map(phrasesOf),
    ],
    conditions: conditions.map(conditionCriteria),
  };
}

/** Returns a predicate about sequences of words, given by their keys. */
function phrasesOf(phrases: readonly (readonly number[])[]): Predicate {
  return { phrases: phrases.map((keys) => keys.map((key) => key & 0xffff)) };
}

/** Returns the keys of all terms that predicates of a search look up. */
export function keysIn({ required, conditions }: Criteria): number[] {
  const keysOf = (predicate: Predicate): readonly number[] => {
    if ("terms" in predicate) return predicate.terms;
    if ("not" in predicate) return keysOf(predicate.not);
    const parts = "any" in predicate ? predicate.any : "all" in predicate ? predicate.all : [];
    return parts.flatMap(keysOf);
  };
  return [...required, ...conditions.flatMap(({ meets, silent }) => [meets, silent])]
    .flatMap(keysOf);
}

function filterPredicates(
  filters: RecordFilters,
  companiesWith: (hostnames: readonly string[]) => readonly number[],
): Predicate[] {
  const { countries, kinds, demand_classes, domains, exclude_domains } = filters;
  const among = (field: ListedField, values: readonly string[]) =>
    values.length > 0 ? [oneOf(field, values)] : [];
  const after = (field: NumberField, instant: string | null) =>
    instant === null ? [] : [{ field, min: microsecondsOf(instant) + 1, max: Infinity }];
  const excluded = [...filters.exclude_company_ids, ...companiesWith(exclude_domains)];
  return [
    ...after("expires_at", filters.now),
    ...among("country", countries),
    ...among("kind", kinds),
    ...among("demand_class", demand_classes),
    ...after("occurred_at", filters.occurred_after),
    ...after("observed_at", filters.observed_after),
    ...filters.company_ids.length > 0 ? [{ company_ids: filters.company_ids }] : [],
    ...domains.length > 0 ? [{ company_ids: companiesWith(domains) }] : [],
    ...excluded.length > 0 ? [{ not: { company_ids: excluded } }] : [],
  ];
}

function oneOf(field: ListedField, values: readonly string[]): Predicate {
  const list: readonly string[] = LISTS[field];
  return { field, values: values.map((value) => list.indexOf(value)) };
}

/** Returns a predicate that is true of records without a facet of these names. */
function isUnstated(...names: string[]): Predicate {
  return { not: { terms: names.map((name) => keyOf(`states:${name}`)) } };
}

function exclusionPredicate(exclusion: Exclusion): Predicate {
  switch (exclusion.on) {
    case "words":
      return { terms: exclusion.ways.flatMap(({ keys }) => keys) };
    case "kind":
      return oneOf("kind", exclusion.kinds);
    case "place":
      return placeCriteria(exclusion.places).meets;
  }
}

function conditionCriteria(condition: Condition): ConditionCriteria {
  const within = (field: NumberField, min: number, max: number) => ({
    meets: { field, min, max },
    silent: { not: { field, min: -Infinity, max: Infinity } },
  });
  switch (condition.on) {
    case "place":
      return placeCriteria(condition.places);
    case "occurred":
      return within("occurred_at", condition.after, condition.before - 1);
    case "closes":
      return within("closes_at", condition.after, condition.before - 1);
    case "amount":
      return within("amount", condition.min, condition.max);
    case "text": {
      const { names, but } = condition;
      const named = { any: names.map((words) => ({ all: words.map((terms) => ({ terms })) })) };
      const others = but.length === 0 ? [] : [{ not: phrasesOf(but) }];
      return { meets: { all: [named, ...others] }, silent: NEVER };
    }
    default:
      return { meets: { terms: condition.keys }, silent: isUnstated(condition.on) };
  }
}

/** Returns the criteria of several places, of which a record needs one. */
function placeCriteria(places: readonly AskedPlace[]): ConditionCriteria {
  const each = places.map(onePlaceCriteria);
  return {
    meets: { any: each.map(({ meets }) => meets) },
    silent: { any: each.map(({ silent }) => silent) },
  };
}

/**
 * Returns the criteria of a place. The most exact level decides that question and record both name.
 * A record that names only a larger area around the place is silent.
 */
function onePlaceCriteria({ country, region, city, metro }: AskedPlace): ConditionCriteria {
  const isIn = (name: string, value: string | undefined): Predicate[] =>
    value === undefined ? [] : [{ terms: [keyOf(`${name}:${value}`)] }];
  const inCountry = country === undefined ? [] : [oneOf("country", [country])];
  const inRegion = isIn("region", region);
  const inCity = [...isIn("city", city), ...isIn("metro", metro)];
  if (inCity.length === 0) {
    const all = [...inRegion, ...inCountry];
    const silent = inRegion.length > 0 ? [isUnstated("region"), ...inCountry] : [NEVER];
    return { meets: { all }, silent: { all: silent } };
  }
  const around = inRegion.length > 0
    ? [{ any: [...inRegion, isUnstated("region")] }, ...inCountry]
    : inCountry;
  const narrower = city === undefined ? isUnstated("metro", "city") : isUnstated("city");
  return { meets: { all: [{ any: inCity }, ...around] }, silent: { all: [narrower, ...around] } };
}

/** A predicate that is true of no record. */
const NEVER: Predicate = { terms: [] };
