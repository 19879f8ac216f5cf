/** Fetches the best records of a question from a cluster, for the match and the judge in memory. */
import { z } from "zod";
import type { AnalyzedDocument } from "../index/analyze.ts";
import { Records } from "../index/records.ts";
import { buildSegment } from "../index/segment.ts";
import { criteriaOf, keysIn, NO_FILTERS } from "../match/criteria.ts";
import { RECORDS_MAX, weighedUnits } from "../match/match.ts";
import type { Cluster } from "./cluster.ts";
import { clusterQuery } from "./cluster_query.ts";
import { type ClusterStatistics, readStatistics, type RemoteRequest } from "./statistics.ts";
import { recordOf, type StoredRecord, tokenOf } from "./stored_record.ts";

/** The record's format is that of the index, so its members are not checked one by one. */
const Source = z.custom<StoredRecord>((one) => typeof (one as StoredRecord)?.terms === "string");

const Found = z.object({
  hits: z.object({ hits: z.array(z.object({ _source: Source })) }),
});

/** A few records of a dataset, with the frequencies of the whole dataset. */
class FetchedRecords extends Records {
  readonly #statistics: ClusterStatistics;

  constructor(records: readonly AnalyzedDocument[], statistics: ClusterStatistics) {
    super([buildSegment(records)]);
    this.#statistics = statistics;
  }

  override get count(): number {
    return this.#statistics.count;
  }

  override frequency(key: number): number {
    return this.#statistics.frequency(key);
  }
}

/**
 * Finds the best records of a question by two requests: for frequencies, and for records.
 *
 * @returns the question as read with the frequencies, the records, and the filters that remain
 * @throws ClusterError
 */
export async function fetchRecords(cluster: Cluster, request: RemoteRequest) {
  const end = performance.now() + request.milliseconds;
  const statistics = await readStatistics(cluster, request);
  const question = request.read(statistics);
  const criteria = criteriaOf(question, request.filters, statistics.companiesWith);
  const units = weighedUnits(statistics, question);
  const { hits } = await cluster.ask({
    method: "POST",
    path: `${request.alias}/_search` +
      "?search_type=dfs_query_then_fetch&allow_partial_search_results=false",
    milliseconds: end - performance.now(),
    body: {
      // The match leaves out those that are too many of one company. Over 51,746 real records and
      // 400 questions of ../shared/load, 98.8 % of the companies are the same as with all records
      // (99.5 % with 500 records, 100 % with 1,000; simulated in memory, 2026-11-27).
      size: RECORDS_MAX,
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
    // The cluster has applied phrases and filters, and the fetched streams are too short for them.
    question: { ...question, phrases: [] },
    filters: { ...NO_FILTERS, now: request.filters.now },
    records: new FetchedRecords(
      hits.hits.map(({ _source }) => recordOf(_source, tokens)),
      statistics,
    ),
  };
}
