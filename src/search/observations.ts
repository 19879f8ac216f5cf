/** Observation search as an action: `search_observations`, and `create_usage` in the background. */
import { COMPANY_FILTERS } from "../contract/filters.ts";
import {
  CANDIDATE_LIMIT,
  ObservationSearchInput,
  type ObservationSearchResult,
} from "../contract/search.ts";
import { observationWithCompany } from "../dataset/observation.ts";
import { Failure } from "../failures.ts";
import type { MeteredAction } from "../operations/action.ts";
import { type Answer, shownEntries } from "../operations/answer.ts";
import { frozenWork, normalizeSearch, searchFrame, type SearchInputs, searchWork } from "./page.ts";
import { readQuery } from "./reading/read_query.ts";
import type { Retriever } from "./retriever.ts";

export function searchObservations(retriever: Retriever): MeteredAction<SearchInputs> {
  return {
    name: "search_observations",
    delivery_unit: "observation",
    invalid_input: "invalid_search",
    ready: () => retriever.ready,
    normalize(raw) {
      refuseCompanyFilters(raw);
      return normalizeSearch(raw, ObservationSearchInput);
    },
    pageLimit: ({ limit }) => limit,
    plan_limited: true,
    maximumUnits: ({ limit }) => limit,
    async perform({ now }, { query, filters }, { frozen }) {
      if (frozen !== null) return frozenWork(frozen);
      const found = await retriever.searchObservations({
        reading: readQuery(query, now?.() ?? retriever.now),
        query,
        filters,
        observations: CANDIDATE_LIMIT,
        now: now?.(),
      });
      return searchWork(found);
    },
    present,
  };
}

function refuseCompanyFilters(raw: unknown): void {
  const { filters } = (raw ?? {}) as { filters?: unknown };
  if (typeof filters !== "object" || filters === null) return;
  const given = Object.keys(COMPANY_FILTERS).find((field) => Object.hasOwn(filters, field));
  if (given === undefined) return;
  throw new Failure("invalid_search", {
    message: `filters.${given}: an observation search takes no filters of companies.`,
  });
}

type SearchBody = Omit<ObservationSearchResult, "usage" | "request_allowance">;

function present(answer: Answer<SearchInputs>): SearchBody {
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
