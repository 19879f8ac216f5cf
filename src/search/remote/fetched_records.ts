/** Fetches the best records of a question from a cluster, for the match and the judge in memory. */
import { z } from "zod";
import { microsecondsOf } from "../index/instants.ts";
import { Records } from "../index/records.ts";
import { buildSegment } from "../index/segment.ts";
import type { RecordFilters } from "../match/admission.ts";
import { RECORDS_MAX, weighedUnits } from "../match/match.ts";
import type { IndexedWords, Question } from "../question/question.ts";
import type { Cluster } from "./cluster.ts";
import { clusterQuery } from "./cluster_query.ts";
import { type ClusterStatistics, readStatistics } from "./statistics.ts";
import { RECORD_FIELDS, recordOf, StoredRecord } from "./stored_record.ts";

const Found = z.object({
  hits: z.object({ hits: z.array(z.object({ _source: StoredRecord })) }),
});

/** A few records of a dataset, with the frequencies of the whole dataset. */
class FetchedRecords extends Records {
  readonly #statistics: ClusterStatistics;

  constructor(stored: readonly z.infer<typeof StoredRecord>[], statistics: ClusterStatistics) {
    super([buildSegment(stored.map(recordOf))]);
    this.#statistics = statistics;
  }

  override get count(): number {
    return this.#statistics.count;
  }

  override frequency(key: number): number {
    return this.#statistics.frequency(key);
  }

  override corrections(word: string): string[] {
    return [...this.#statistics.corrections(word)];
  }
}

/** A search of a cluster. */
export interface RemoteRequest {
  alias: string;
  /** Reads the query with what is known of the index. */
  read(words: IndexedWords): Question;
  filters: RecordFilters;
  /** Max milliseconds of all requests together. */
  milliseconds: number;
}

/** The question as read with the frequencies of the cluster, and the records to judge. */
export interface Fetched {
  question: Question;
  records: Records;
  /** Filters with companies instead of domains, because most records of these are not fetched. */
  filters: RecordFilters;
}

/**
 * Finds the best records of a question by two requests: for frequencies, and for records.
 *
 * @throws ClusterError
 */
export async function fetchRecords(cluster: Cluster, request: RemoteRequest): Promise<Fetched> {
  const { alias, read, milliseconds } = request;
  const end = performance.now() + milliseconds;
  const { domains, exclude_domains } = request.filters;
  const now = microsecondsOf(request.filters.now);
  const statistics = await readStatistics(cluster, {
    alias,
    read,
    domains,
    exclude_domains,
    now,
    milliseconds,
  });
  const question = read(statistics);
  const filters = withCompanies(request.filters, statistics);
  const isUnfulfillable = domains.length > 0 && filters.company_ids.length === 0;
  const latest = question.units.length === 0;
  if (isUnfulfillable || latest && question.excluded.length === 0) {
    return { question, filters, records: new FetchedRecords([], statistics) };
  }
  const units = weighedUnits(statistics, question);
  const { hits } = await cluster.ask({
    method: "POST",
    path: `${alias}/_search?search_type=dfs_query_then_fetch&allow_partial_search_results=false`,
    milliseconds: end - performance.now(),
    body: {
      size: RECORDS_MAX,
      track_total_hits: false,
      _source: RECORD_FIELDS,
      query: clusterQuery({ question, units, filters, statistics }),
      // Equal scores are decided as in memory, whichever copy of a shard answers.
      sort: [latest ? { occurred: "desc" } : "_score", { observation_id: "asc" }],
    },
  }, Found);
  const stored = hits.hits.map(({ _source }) => _source);
  return { question, filters, records: new FetchedRecords(stored, statistics) };
}

function withCompanies(filters: RecordFilters, found: ClusterStatistics): RecordFilters {
  const { company_ids, domains, exclude_company_ids } = filters;
  const ofDomains = new Set(found.domains);
  const admitted = company_ids.length === 0
    ? found.domains
    : company_ids.filter((id) => ofDomains.has(id));
  return {
    ...filters,
    company_ids: domains.length === 0 ? company_ids : admitted,
    exclude_company_ids: [...exclude_company_ids, ...found.exclude_domains],
    domains: [],
    exclude_domains: [],
  };
}
