/** Company search as an action: `POST /api/companies/search`, `search_companies`. */
import type { FoundCompany } from "../contract/observation.ts";
import {
  CANDIDATE_LIMIT,
  CompanySearchInput,
  type CompanySearchResult,
  OBSERVATIONS_PER_COMPANY,
} from "../contract/search.ts";
import { companyLimitations } from "../dataset/company.ts";
import { nestedObservation } from "../dataset/observation.ts";
import { Failure } from "../failures.ts";
import type { Context, MeteredAction, NormalizedRequest, Work } from "../operations/action.ts";
import { type Answer, type ObservationRow, shownEntries } from "../operations/answer.ts";
import { normalizeFilters, type SearchFilters } from "./filters.ts";
import { invalidField } from "../contract/invalid.ts";
import { normalizeQuery, planSearch } from "./planning.ts";
import type { Retriever } from "./retriever.ts";

export interface CompanySearch {
  query: string;
  filters: SearchFilters;
  limit: number;
}

/** What a delivered search remembers beside its ids. */
interface SearchFacts {
  retrieval: "lexical" | "hybrid";
  limitations: string[];
}

/** Of every answer: specification 1, rules 3 and 4. */
const LIMITATIONS = ["limited_source_coverage", "dataset_read_only"];

export function searchCompanies(retriever: Retriever): MeteredAction<CompanySearch> {
  return {
    name: "search_companies",
    delivery_unit: "company",
    invalid_input: "invalid_search",
    ready: () => retriever.ready,
    normalize,
    pageLimit: ({ limit }) => limit,
    maximumUnits: ({ limit }) => limit,
    perform: (context, inputs) => perform(retriever, context, inputs),
    present,
  };
}

/** What settle makes; anything else need not be looked up. */
const CURSOR = /^[A-Za-z0-9_-]{32}$/;

function normalize(raw: unknown): NormalizedRequest<CompanySearch> {
  const parsed = CompanySearchInput.safeParse(raw);
  if (!parsed.success) throw invalidField("invalid_search", parsed.error);
  const { query, filters, limit, cursor, background } = parsed.data;
  if (cursor !== null && !CURSOR.test(cursor)) throw new Failure("invalid_cursor");
  const inputs = {
    query: normalizeQuery(query),
    filters: normalizeFilters(filters),
    limit,
  };
  // Refused here, before anything is stored or charged.
  planSearch(inputs.query);
  return { inputs, cursor, background };
}

async function perform(
  retriever: Retriever,
  context: Context,
  { query, filters }: CompanySearch,
): Promise<Work> {
  const { entries, retrieval, limitations } = await retriever.search({
    plan: planSearch(query),
    filters,
    companies: CANDIDATE_LIMIT,
    observations_per_company: OBSERVATIONS_PER_COMPANY,
    now: context.now?.(),
  });
  return { entries, facts: { retrieval, limitations } satisfies SearchFacts };
}

type SearchBody = Omit<CompanySearchResult, "usage" | "request_allowance">;

function present(answer: Answer<CompanySearch>) {
  const { inputs, result, operation, next_cursor, start_position } = answer;
  const { entries, as_of, retrieval, limitations } = result as typeof result & SearchFacts;
  const companies = shownEntries(answer)
    .map((rows) => foundCompany(rows, { query: inputs.query, as_of }));
  return {
    as_of,
    coverage_status: "partial",
    limitations: [...LIMITATIONS, ...limitations],
    next_cursor,
    delivery_unit: "company",
    withheld_units: operation.delivered_units - companies.length,
    retrieval,
    ranking: "query_relevance_baseline",
    candidate_limit: CANDIDATE_LIMIT,
    coverage: {
      requested_companies: inputs.limit,
      returned_companies: companies.length,
      stop_reason: stopReason(start_position, entries.length, inputs.limit),
      limitations,
    },
    companies,
  } satisfies SearchBody;
}

function foundCompany(
  rows: ObservationRow[],
  { query, as_of }: { query: string; as_of: string },
): FoundCompany {
  // The best match speaks for the company.
  const [best] = rows as [ObservationRow, ...ObservationRow[]];
  return {
    id: best.company_id,
    name: best.company_name,
    limitations: companyLimitations(rows, as_of),
    demand_class: best.demand_class,
    why_it_may_matter: best.why_it_may_matter,
    match: { query, observation_ids: rows.map((row) => row.id) },
    observations: rows.map(nestedObservation),
  };
}

/** Of the delivery, so that a later withdrawal does not change it. */
function stopReason(start: number, delivered: number, limit: number) {
  if (start + delivered === 0) return "no_match";
  return delivered === limit ? "limit_reached" : "shortlist_exhausted";
}
