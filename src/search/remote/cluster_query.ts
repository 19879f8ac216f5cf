/** Turns a question into a query of the cluster: units into scored terms, the rest into filters. */
import { microsecondsOf } from "../index/instants.ts";
import type { RecordFilters } from "../match/admission.ts";
import { rarityOf, type WeighedUnit } from "../match/match.ts";
import type { AskedPlace, Condition, Exclusion, Question } from "../question/question.ts";
import { keyOf } from "../words/terms.ts";
import type { ClusterStatistics } from "./statistics.ts";
import { tokenOf } from "./stored_record.ts";

/**
 * Max number of scored terms of a query. The clusters' own limit of 1,024 clauses includes the
 * filters.
 */
const TERMS_MAX = 800;

/** A clause in OpenSearch's query language. */
export type Clause = Record<string, unknown>;

interface ScoredTerm {
  token: string;
  /** Score of a record in which the term has the impact 1. */
  boost: number;
  unit: number;
}

/**
 * Returns the query for the records that the judge should see. It leaves out the records that the
 * admission in the process would refuse, so that they take no places.
 */
export function clusterQuery({ question, units, filters, statistics }: {
  question: Question;
  units: readonly WeighedUnit[];
  filters: RecordFilters;
  statistics: ClusterStatistics;
}): Clause {
  const scored = units.flatMap((unit, place) => termsOf(unit, { place, statistics }))
    .sort((a, b) => b.boost - a.boost).slice(0, TERMS_MAX);
  const should = [...Map.groupBy(scored, ({ unit }) => unit).values()].map((terms) => ({
    dis_max: {
      queries: terms.map(({ token, boost }) => ({ term: { terms: { value: token, boost } } })),
    },
  }));
  return {
    bool: {
      filter: [
        ...filterClauses(filters),
        ...question.conditions.map(conditionClause),
        ...question.phrases.map(phraseClause),
      ],
      must_not: [
        ...question.excluded.map(exclusionClause),
        ...companyClauses(filters.exclude_company_ids),
      ],
      should,
      minimum_should_match: units.length > 0 ? 1 : 0,
    },
  };
}

/**
 * Returns the scored terms of a unit. The cluster multiplies the score of a term with its rarity,
 * but here the rarity of the whole unit counts, so the boost divides by the former.
 */
function termsOf(
  { ways, weight, frequency }: WeighedUnit,
  { place, statistics }: { place: number; statistics: ClusterStatistics },
): ScoredTerm[] {
  if (weight === 0) return [];
  return ways.flatMap(({ keys, similarity }) =>
    keys.flatMap((key) => {
      const known = statistics.isKnown(key) ? statistics.frequency(key) : frequency;
      if (known === 0 && statistics.isKnown(key)) return [];
      const boost = weight * similarity / rarityOf(statistics, known);
      return [{ token: tokenOf(key), boost, unit: place }];
    })
  );
}

function filterClauses(filters: RecordFilters): Clause[] {
  const { countries, kinds, demand_classes, occurred_after, observed_after } = filters;
  const after = (field: string, instant: string | null): Clause[] =>
    instant === null ? [] : [{ range: { [field]: { gt: microsecondsOf(instant) } } }];
  return [
    ...after("expires", filters.now),
    ...countries.length > 0 ? [anyOf(countries.map((one) => keyOf(`country:${one}`)))] : [],
    ...kinds.length > 0 ? [anyOf(kinds.map((one) => keyOf(`kind:${one}`)))] : [],
    ...demand_classes.length > 0 ? [{ terms: { demand_class: demand_classes } }] : [],
    ...after("occurred", occurred_after),
    ...after("observed", observed_after),
    ...companyClauses(filters.company_ids),
  ];
}

function companyClauses(company_ids: readonly number[]): Clause[] {
  return company_ids.length > 0 ? [{ terms: { company_id: company_ids } }] : [];
}

/** Admits records that meet a condition, and those that say nothing about it. */
function conditionClause(condition: Condition): Clause {
  switch (condition.on) {
    case "place":
      return either(condition.places.map((place) => placeClause(place, { silent: true })));
    case "occurred":
    case "closes":
      return either([
        {
          range: {
            [condition.on]: {
              ...boundOf("gte", condition.after),
              ...boundOf("lt", condition.before),
            },
          },
        },
        without({ exists: { field: condition.on } }),
      ]);
    case "amount":
      return either([
        {
          range: { amount: { ...boundOf("gte", condition.min), ...boundOf("lte", condition.max) } },
        },
        without({ exists: { field: "amount" } }),
      ]);
    default:
      return either([anyOf(condition.keys), without({ term: { states: condition.on } })]);
  }
}

function boundOf(name: string, value: number): Record<string, number> {
  return Number.isFinite(value) ? { [name]: value } : {};
}

/** @param options.silent whether records are admitted that do not name the exact place */
function placeClause(
  { country, region, city, metro }: AskedPlace,
  { silent }: { silent: boolean },
): Clause {
  const isIn = (name: string, value: string | undefined): Clause[] =>
    value === undefined ? [] : [anyOf([keyOf(`${name}:${value}`)])];
  const unstated = (...names: string[]): Clause[] =>
    silent ? [without({ terms: { states: names } })] : [];
  const exact = [...isIn("city", city), ...isIn("metro", metro)];
  const narrower = city === undefined ? ["metro", "city"] : ["city"];
  const levels = [
    isIn("country", country),
    ...region === undefined ? [] : [
      // A record in the city is not asked for its region, unless it states another one.
      exact.length > 0
        ? [...isIn("region", region), without({ term: { states: "region" } })]
        : [...isIn("region", region), ...unstated("region")],
    ],
    ...exact.length === 0 ? [] : [[...exact, ...unstated(...narrower)]],
  ];
  return { bool: { filter: levels.filter((one) => one.length > 0).map(either) } };
}

function exclusionClause(exclusion: Exclusion): Clause {
  switch (exclusion.on) {
    case "words":
      return anyOf(exclusion.ways.flatMap(({ keys }) => keys));
    case "kind":
      return anyOf(exclusion.kinds.map((kind) => keyOf(`kind:${kind}`)));
    case "place":
      return either(exclusion.places.map((place) => placeClause(place, { silent: false })));
  }
}

/** Finds the words of a phrase next to each other, in any of the languages. */
function phraseClause(phrase: readonly (readonly number[])[]): Clause {
  return either(phrase.map((keys) => ({
    match_phrase: { stream: keys.map((key) => key & 0xffff).join(" ") },
  })));
}

function anyOf(keys: readonly number[]): Clause {
  return { terms: { terms: keys.map(tokenOf) } };
}

function either(clauses: readonly Clause[]): Clause {
  return { bool: { should: clauses, minimum_should_match: 1 } };
}

function without(clause: Clause): Clause {
  return { bool: { must_not: [clause] } };
}
