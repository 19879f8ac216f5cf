/**
 * Fetches the best records of a question from a cluster, for the match and the judge in memory. The
 * question becomes a query of the cluster: units are scored terms, the rest is filters.
 */
import { z } from "zod";
import { NO_FILTERS } from "../../contract/filters.ts";
import type { AnalyzedDocument } from "../index/analyze.ts";
import { Records } from "../index/records.ts";
import { buildSegment } from "../index/segment.ts";
import { type Criteria, criteriaOf, keysIn, type Predicate } from "../match/criteria.ts";
import { certainKinds, rarityOf, type WeighedUnit, weighedUnits } from "../match/match.ts";
import { ALIAS, type RemoteIndex } from "./remote_index.ts";
import { type ClusterStatistics, readStatistics, type RemoteRequest } from "./statistics.ts";
import { recordOf, type StoredRecord, tokenOf } from "./stored_record.ts";

/**
 * Number of records that a search fetches. The match leaves out those that are too many of one
 * company. Over 51,746 real records and 400 questions of ../shared/load, 97.6 % of the companies
 * were the same as with all records if 300 were fetched, and 98.8 % with 500 (2026-11-27).
 */
const FETCHED_MAX = 500;

/** The record's format is that of the index, so its members are not checked one by one. */
const Source = z.custom<StoredRecord>((one) => typeof (one as StoredRecord)?.terms === "string");

const Found = z.object({ hits: z.object({ hits: z.array(z.object({ _source: Source })) }) });

/** A few records of a dataset, with the frequencies of the whole dataset. */
class FetchedRecords extends Records {
  constructor(
    records: readonly AnalyzedDocument[],
    private readonly statistics: ClusterStatistics,
  ) {
    super([buildSegment(records)]);
  }

  override get count(): number {
    return this.statistics.count;
  }

  override frequency(key: number): number {
    return this.statistics.frequency(key);
  }
}

/**
 * Finds the best records of a question by two requests: for frequencies, and for records.
 *
 * @returns the question as read with the frequencies, the records, and the filters that remain
 * @throws ClusterError
 */
export async function fetchRecords(index: RemoteIndex, request: RemoteRequest) {
  const end = performance.now() + request.milliseconds;
  const statistics = await readStatistics(index, request);
  const question = request.read(statistics);
  const criteria = criteriaOf(question, request.filters, statistics.companiesWith);
  const units = weighedUnits(statistics, question);
  const { hits } = await index.cluster.ask({
    method: "POST",
    path: `${ALIAS}/_search` +
      "?search_type=dfs_query_then_fetch&allow_partial_search_results=false",
    milliseconds: end - performance.now(),
    body: {
      size: FETCHED_MAX,
      track_total_hits: false,
      query: clusterQuery({ units, criteria, statistics }),
      // Equal scores are decided as in memory, whichever copy of a shard answers.
      sort: [units.length === 0 ? { occurred_at: "desc" } : "_score", { observation_id: "asc" }],
    },
  }, Found);
  // A record has some hundred terms. Those that the question does not contain are never looked up.
  const keys = question.units.flatMap(({ ways }) => ways.flatMap((way) => way.keys));
  const tokens = new Set([...keys, ...keysIn(criteria)].map(tokenOf));
  return {
    // The cluster has applied phrases and filters, and a fetched stream has only a length.
    question: { ...question, phrases: [] },
    filters: { ...NO_FILTERS, now: request.filters.now },
    records: new FetchedRecords(
      hits.hits.map(({ _source }) => recordOf(_source, tokens)),
      statistics,
    ),
  };
}

/** Max number of scored terms. The cluster's limit of 1,024 clauses includes the filters. */
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
    ...certainKinds(units).map((values): Predicate => ({ field: "kind", values })),
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
