/** Company search as an action: `POST /api/companies/search`, `search_companies`. */
import { INPUTS } from "../contract/inputs.ts";
import type { FoundCompany } from "../contract/observation.ts";
import {
  CANDIDATE_LIMIT,
  type CompanySearchResult,
  OBSERVATIONS_PER_COMPANY,
} from "../contract/search.ts";
import { companyLimitations, nestedObservation } from "../dataset/present.ts";
import type { MeteredAction } from "../operations/action.ts";
import {
  type Answer,
  type ObservationRow,
  shownEntries,
  type StoredResult,
} from "../operations/answer.ts";
import { type Filling, fillShortPage } from "./acquisition.ts";
import {
  frozenWork,
  type SearchFacts,
  searchFrame,
  type SearchInputs,
  searchWork,
} from "./page.ts";
import { refuseNegationAlone, refuseUnsupported } from "./unsupported.ts";
import type { Planner } from "./planning/model_planner.ts";
import { momentOf, type Retrieval, type RetrievalRequest, type Retriever } from "./retriever.ts";

/** Optional parts of a company search. */
export interface CompanySearchParts {
  /** Services that add companies from sources to a short first page. Absent: pages stay short. */
  filling?: Filling;
  /** Planner that reads accepted queries; absent: the built-in rules read them. */
  planner?: Planner;
}

/** Returns the action of company search. */
export function searchCompanies(
  retriever: Retriever,
  { filling, planner }: CompanySearchParts = {},
): MeteredAction<SearchInputs> {
  const read = async (
    { query, filters }: SearchInputs,
    now: (() => Date) | undefined,
  ): Promise<RetrievalRequest> => {
    const moment = momentOf(retriever, now);
    refuseNegationAlone(query, filters, () => retriever.read(query, moment));
    const planned = await planner?.(query, moment);
    return {
      query,
      planned,
      filters,
      companies: CANDIDATE_LIMIT,
      observations_per_company: OBSERVATIONS_PER_COMPANY,
      now: now?.(),
    };
  };
  return {
    name: "search_companies",
    delivery_unit: "company",
    invalid_input: "invalid_search",
    ready: () => retriever.ready,
    input: INPUTS.search_companies,
    refuse({ inputs: { query }, cursor }) {
      // The query of a later page is not checked again, because its first page was accepted.
      if (cursor === null) refuseUnsupported(query);
    },
    pageLimit: ({ limit }) => limit,
    plan_limited: true,
    maximumUnits: ({ limit }) => limit,
    async perform({ now }, inputs, { frozen }) {
      if (frozen !== null) return frozenWork(frozen);
      const request = await read(inputs, now);
      const retrieval = await retriever.search(request);
      if (filling === undefined || !isShort(retrieval, inputs)) return searchWork(retrieval);
      const filled = await fillShortPage(filling, retrieval, request);
      return { ...searchWork(filled), fresh_observation_ids: filled.fresh_observation_ids };
    },
    present,
  };
}

/**
 * Returns whether a page lacks companies. Only companies found by words count, because the vectors
 * of some records are near any query.
 */
function isShort(retrieval: Retrieval, { limit }: SearchInputs): boolean {
  return retrieval.found_by_words < limit;
}

type SearchBody = Omit<CompanySearchResult, "usage" | "request_allowance">;

function present(answer: Answer<SearchInputs>): SearchBody {
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
