/** Turns a question into a query of the cluster: units into scored terms, the rest into filters. */
import { KINDS } from "../../contract/vocabulary.ts";
import type { Criteria, Predicate } from "../match/criteria.ts";
import { certainKinds, rarityOf, type WeighedUnit } from "../match/match.ts";
import type { ClusterStatistics } from "./statistics.ts";
import { tokenOf } from "./stored_record.ts";

/**
 * Max number of scored terms of a query. The clusters' own limit of 1,024 clauses includes the
 * filters.
 */
const TERMS_MAX = 800;

/** Greatest score of a term, which is that of a fact in a record (analyze.ts). */
const IMPACT_MAX = 255;

/** A clause in OpenSearch's query language. */
type Clause = Record<string, unknown>;

/** A clause that finds no record. */
const NOTHING: Clause = { terms: { terms: [] } };

/**
 * Returns the query for the best records of a question, in the order of the match in memory: those
 * of an asked kind that meet all conditions, then others, and the best score first.
 */
export function clusterQuery({ units, criteria, statistics }: {
  units: readonly WeighedUnit[];
  criteria: Criteria;
  statistics: ClusterStatistics;
}): Clause {
  const { required, conditions } = criteria;
  const scored = units.flatMap((unit, row) => termsOf(unit, row, statistics))
    .sort((a, b) => b.boost - a.boost).slice(0, TERMS_MAX);
  const should = [...Map.groupBy(scored, ({ row }) => row).values()].map((terms) => ({
    dis_max: {
      queries: terms.map(({ token, boost }) => ({ term: { terms: { value: token, boost } } })),
    },
  }));
  const meeting = [
    ...conditions.map(({ meets }) => meets),
    ...certainKinds(units).map((places): Predicate => ({
      field: "kind",
      values: places.map((place) => KINDS[place]!),
    })),
  ];
  // It is above the greatest sum of scores, so that records that meet everything come first.
  const boost = 1 + IMPACT_MAX * units.reduce((sum, { weight }) => sum + weight, 0);
  return {
    bool: {
      filter: [...required, ...conditions.map(({ meets, silent }) => ({ any: [meets, silent] }))]
        .map(clauseOf),
      // Without NOTHING, a question with unknown words only would find all records.
      must: units.length === 0 ? [] : [{ bool: { should: [NOTHING, ...should] } }],
      should: meeting.length === 0
        ? []
        : [{ constant_score: { filter: clauseOf({ all: meeting }), boost } }],
    },
  };
}

/**
 * Returns the scored terms of a unit. The cluster multiplies the score of a term with its rarity,
 * but here the rarity of the whole unit counts, so the boost divides by the former.
 */
function termsOf({ ways, weight, frequency }: WeighedUnit, row: number, known: ClusterStatistics) {
  if (weight === 0) return [];
  return ways.flatMap(({ keys, similarity }) =>
    keys.filter((key) => known.frequencies.get(key) !== 0).map((key) => {
      const rarity = rarityOf(known, known.frequencies.get(key) ?? frequency);
      return { row, token: tokenOf(key), boost: weight * similarity / rarity };
    })
  );
}

function clauseOf(predicate: Predicate): Clause {
  if ("any" in predicate) return { bool: { should: predicate.any.map(clauseOf) } };
  if ("all" in predicate) return { bool: { filter: predicate.all.map(clauseOf) } };
  if ("not" in predicate) return { bool: { must_not: [clauseOf(predicate.not)] } };
  if ("terms" in predicate) return { terms: { terms: predicate.terms.map(tokenOf) } };
  if ("states" in predicate) return { terms: { states: predicate.states } };
  if ("company_ids" in predicate) return { terms: { company_id: predicate.company_ids } };
  if ("values" in predicate) return { terms: { [predicate.field]: predicate.values } };
  if ("phrases" in predicate) {
    const phrases = predicate.phrases.map((words) => ({
      match_phrase: { stream: words.join(" ") },
    }));
    return { bool: { should: phrases } };
  }
  const { field, min, max } = predicate;
  // JSON has no infinity, but null, which is an open end as well.
  return { range: { [field]: { gte: min, lte: max } } };
}
