/**
 * The metered searches as actions: `POST /api/companies/search` and the tools `search_companies`,
 * `search_observations` and `create_usage`. A company search may acquire records from sources, once,
 * for a first page with too few companies, and then searches again (specification 4).
 */
import { INPUTS } from "../contract/inputs.ts";
import type { SearchFilters } from "../contract/filters.ts";
import type { FoundCompany } from "../contract/observation.ts";
import { LIMITATIONS } from "../contract/result.ts";
import {
  CANDIDATE_LIMIT,
  type CompanySearchResult,
  type ObservationSearchResult,
  type STOP_REASONS,
} from "../contract/search.ts";
import {
  companyLimitations,
  nestedObservation,
  observationWithCompany,
} from "../dataset/present.ts";
import { unlessAborted } from "../ingest/fetch/deadline.ts";
import type { Acquirer } from "../ingest/refresh/acquire.ts";
import { defectFields, type Log } from "../log.ts";
import type { DeliveryEntry, Frozen, MeteredAction, Work } from "../operations/action.ts";
import {
  type Answer,
  type ObservationRow,
  shownEntries,
  type StoredResult,
} from "../operations/answer.ts";
import type { Planner } from "./planning/model_planner.ts";
import type { Retrieval, RetrievalRequest, Retriever } from "./retriever.ts";
import { refuseUnsupported } from "./unsupported.ts";

/** Inputs of a search, as its action normalizes them. */
interface SearchInputs {
  query: string;
  filters: SearchFilters;
  limit: number;
}

/** Values that a delivered search stores in addition to its ids. */
type SearchFacts = Pick<
  Retrieval,
  "retrieval" | "limitations" | "silent_observation_ids" | "asked_sources"
>;

/** Optional parts of a company search. */
export interface CompanySearchParts {
  /** Services that add companies from sources to a short first page. Absent: pages stay short. */
  filling?: Filling;
  /** Planner that reads accepted queries; absent: the built-in rules read them. */
  planner?: Planner;
}

/** Returns the parts that the actions of both searches have in common. */
function searchAction(retriever: Retriever) {
  return {
    invalid_input: "invalid_search" as const,
    ready: () => retriever.source.ready,
    pageLimit: ({ limit }: SearchInputs) => limit,
    plan_limited: true,
    maximumUnits: ({ limit }: SearchInputs) => limit,
  };
}

/** Returns the action of company search. */
export function searchCompanies(
  retriever: Retriever,
  { filling, planner }: CompanySearchParts = {},
): MeteredAction<SearchInputs> {
  return {
    ...searchAction(retriever),
    name: "search_companies",
    delivery_unit: "company",
    input: INPUTS.search_companies,
    refuse({ inputs: { query }, cursor }) {
      // The query of a later page is not checked again, because its first page was accepted.
      if (cursor === null) refuseUnsupported(query);
    },
    async perform({ now }, inputs, { frozen }) {
      if (frozen !== null) return frozenWork(frozen);
      const { query, filters, limit } = inputs;
      const planned = await planner?.(query, now?.() ?? new Date(retriever.source.now));
      const request = { query, planned, filters, now: now?.() };
      const retrieval = await retriever.search(request);
      // Only companies found by words count, because the vectors of some records are near any query.
      if (filling === undefined || retrieval.found_by_words >= limit) return searchWork(retrieval);
      return searchWork(await fillShortPage(filling, retrieval, request));
    },
    present,
  };
}

/** Body of a result, to which the usage and allowance are added. */
type Body<Result> = Omit<Result, "usage" | "request_allowance">;

function present(answer: Answer<SearchInputs>): Body<CompanySearchResult> {
  const { inputs, result } = answer;
  const { as_of, silent_observation_ids = [] } = result as StoredResult & SearchFacts;
  const silent = new Set(silent_observation_ids);
  const companies = shownEntries(answer)
    .map((rows) => foundCompany(rows, { query: inputs.query, as_of, silent }));
  const { coverage, ...frame } = searchFrame(answer, companies.length);
  return {
    ...frame,
    delivery_unit: "company",
    coverage: {
      requested_companies: inputs.limit,
      returned_companies: companies.length,
      ...coverage,
    },
    companies,
  };
}

function foundCompany(
  rows: ObservationRow[],
  { query, as_of, silent }: { query: string; as_of: string; silent: ReadonlySet<number> },
): FoundCompany {
  // The company is described by its best match.
  const [best] = rows as [ObservationRow, ...ObservationRow[]];
  return {
    id: best.company_id,
    name: best.company_name,
    limitations: [
      ...rows.every(({ id }) => silent.has(id)) ? ["condition_not_stated"] : [],
      ...companyLimitations(rows, as_of),
    ],
    demand_class: best.demand_class,
    why_it_may_matter: best.why_it_may_matter,
    match: { query, observation_ids: rows.map((row) => row.id) },
    observations: rows.map(nestedObservation),
  };
}

/** Max milliseconds to wait for acquired records. The index may be loading everything. */
export const REFRESH_MILLISECONDS = 2_000;

interface Filling {
  retriever: Retriever;
  acquirer: Acquirer;
  log: Log;
}

/**
 * Acquires records, and searches again if there are any. The result says if a source failed or was
 * late, or if its records cannot be searched yet.
 */
export async function fillShortPage(
  { retriever, acquirer, log }: Filling,
  retrieval: Retrieval,
  request: RetrievalRequest,
): Promise<Retrieval> {
  const { filters } = request;
  // Sources do not know the ids that this service gives to companies.
  if (filters.company_ids.length > 0) return retrieval;
  const wanted = { ...filters, terms: retrieval.terms };
  const { observation_ids, incomplete, asked } = await acquirer.acquire(wanted);
  let filled = retrieval;
  let failed = incomplete;
  if (observation_ids.length > 0) {
    try {
      await unlessAborted(retriever.source.refresh(), AbortSignal.timeout(REFRESH_MILLISECONDS));
      filled = await retriever.search(request);
    } catch (error) {
      log.warn("acquired records cannot be searched yet", defectFields(error));
      failed = true;
    }
  }
  const limitations = [...filled.limitations, ...failed ? ["acquisition_incomplete"] : []];
  return { ...filled, limitations, asked_sources: asked, fresh_observation_ids: observation_ids };
}

/** Returns the action of observation search. */
export function searchObservations(retriever: Retriever): MeteredAction<SearchInputs> {
  return {
    ...searchAction(retriever),
    name: "search_observations",
    delivery_unit: "observation",
    input: INPUTS.search_observations,
    async perform({ now }, inputs, { frozen }) {
      if (frozen !== null) return frozenWork(frozen);
      const { query, filters } = inputs;
      return searchWork(await retriever.searchObservations({ query, filters, now: now?.() }));
    },
    present: presentObservations,
  };
}

function presentObservations(answer: Answer<SearchInputs>): Body<ObservationSearchResult> {
  const { inputs } = answer;
  const shown = shownEntries(answer).flat();
  const { coverage, ...frame } = searchFrame(answer, shown.length);
  return {
    ...frame,
    delivery_unit: "observation",
    coverage: {
      requested_observations: inputs.limit,
      returned_observations: shown.length,
      ...coverage,
    },
    observations: shown.map(observationWithCompany),
  };
}

/** Returns the work of a first page. Later pages continue with the same entries. */
function searchWork(
  { entries, fresh_observation_ids, found_by_words: _, terms: __, ...facts }: Retrieval,
): Work {
  return { entries, fresh_observation_ids, facts };
}

/** Returns the work of a later page, for which nothing is planned or ranked again. */
export function frozenWork(frozen: Frozen): Work {
  const { entries, ...facts } = frozen as Frozen & { entries: DeliveryEntry[] };
  return { entries, facts };
}

/** Returns the fields that the results of both searches have in common. */
function searchFrame(answer: Answer<SearchInputs>, shown: number) {
  const { result, next_cursor, start_position, inputs } = answer;
  const { entries, as_of, retrieval, limitations, asked_sources } = result as
    & typeof result
    & SearchFacts;
  // The limitation `dataset_read_only` does not apply to a search that has asked a source.
  const general = LIMITATIONS.filter((one) => !asked_sources || one !== "dataset_read_only");
  // A later withdrawal does not change why a page stopped at its delivery.
  const stopReason: typeof STOP_REASONS[number] = start_position + entries.length === 0
    ? "no_match"
    : entries.length === inputs.limit
    ? "limit_reached"
    : "shortlist_exhausted";
  return {
    as_of,
    coverage_status: "partial" as const,
    limitations: [...general, ...limitations],
    next_cursor,
    withheld_units: answer.operation.delivered_units - shown,
    retrieval,
    ranking: "query_relevance_baseline" as const,
    candidate_limit: CANDIDATE_LIMIT,
    coverage: { stop_reason: stopReason, limitations },
  };
}
