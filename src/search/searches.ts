/**
 * The metered searches as actions: `POST /api/companies/search` and the tools `search_companies`,
 * `search_observations` and `create_usage`. A company search may acquire records from sources, once,
 * for a first page with too few companies, and then searches again (specification 4).
 */
import { INPUTS } from "../contract/inputs.ts";
import type { FoundCompany } from "../contract/observation.ts";
import {
  CANDIDATE_LIMIT,
  type CompanySearchResult,
  OBSERVATIONS_PER_COMPANY,
  type ObservationSearchResult,
} from "../contract/search.ts";
import {
  companyLimitations,
  nestedObservation,
  observationWithCompany,
} from "../dataset/present.ts";
import type { Acquirer } from "../ingest/refresh/acquire.ts";
import { defectFields, type Log } from "../log.ts";
import type { MeteredAction } from "../operations/action.ts";
import {
  type Answer,
  type ObservationRow,
  shownEntries,
  type StoredResult,
} from "../operations/answer.ts";
import {
  frozenWork,
  type SearchFacts,
  searchFrame,
  type SearchInputs,
  searchWork,
} from "./page.ts";
import type { Planner } from "./planning/model_planner.ts";
import { momentOf, type Retrieval, type RetrievalRequest, type Retriever } from "./retriever.ts";
import { refuseNegationAlone, refuseUnsupported } from "./unsupported.ts";

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
    shows_hostnames: false,
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

/**
 * Limitation of a result if a source failed, was late or could not be asked yet, or if the acquired
 * records could not be searched.
 */
const INCOMPLETE = "acquisition_incomplete";

/**
 * Max milliseconds to wait until the index contains the acquired records. It may be loading the
 * whole dataset again, for instance after a backup was restored.
 */
export const REFRESH_MILLISECONDS = 2_000;

interface FilledRetrieval extends Retrieval {
  fresh_observation_ids: number[];
}

/** Services that fillShortPage() uses. */
interface Filling {
  retriever: Retriever;
  acquirer: Acquirer;
  log: Log;
}

/** Acquires records, and searches again if there are any. Throws no errors of sources. */
export async function fillShortPage(
  { retriever, acquirer, log }: Filling,
  retrieval: Retrieval,
  request: RetrievalRequest,
): Promise<FilledRetrieval> {
  const { query, filters, now } = request;
  // Sources do not know the ids that this service gives to companies.
  if (filters.company_ids.length > 0) return { ...retrieval, fresh_observation_ids: [] };
  const { units } = retriever.read(query, now ?? retriever.now);
  const terms = units.filter(({ is_filler }) => !is_filler).map(({ text }) => text);
  const wanted = { ...filters, terms };
  const { observation_ids, incomplete, asked } = await acquirer.acquire(wanted);
  let filled = retrieval;
  let failed = incomplete;
  if (observation_ids.length > 0) {
    try {
      await inTime(retriever.refresh(), REFRESH_MILLISECONDS, "the index is busy");
      filled = await retriever.search(request);
    } catch (error) {
      log.warn("acquired records cannot be searched yet", defectFields(error));
      failed = true;
    }
  }
  const limitations = failed ? [...filled.limitations, INCOMPLETE] : filled.limitations;
  return { ...filled, limitations, asked_sources: asked, fresh_observation_ids: observation_ids };
}

/**
 * Waits for a promise. When the time is over, the work of the promise continues.
 *
 * @throws the error of the promise, or an Error with `message` if it takes too long
 */
export async function inTime<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  message: string,
): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the action of observation search. */
export function searchObservations(retriever: Retriever): MeteredAction<SearchInputs> {
  const search = async ({ query, filters }: SearchInputs, now: (() => Date) | undefined) => {
    refuseNegationAlone(query, filters, () => retriever.read(query, momentOf(retriever, now)));
    return searchWork(
      await retriever.searchObservations({
        query,
        filters,
        observations: CANDIDATE_LIMIT,
        now: now?.(),
      }),
    );
  };
  return {
    name: "search_observations",
    delivery_unit: "observation",
    invalid_input: "invalid_search",
    ready: () => retriever.ready,
    input: INPUTS.search_observations,
    pageLimit: ({ limit }) => limit,
    plan_limited: true,
    shows_hostnames: false,
    maximumUnits: ({ limit }) => limit,
    async perform({ now }, inputs, { frozen }) {
      return frozen === null ? await search(inputs, now) : frozenWork(frozen);
    },
    present: presentObservations,
  };
}

type ObservationSearchBody = Omit<ObservationSearchResult, "usage" | "request_allowance">;

function presentObservations(answer: Answer<SearchInputs>): ObservationSearchBody {
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
