/** Observation search as an action: the MCP tools `search_observations` and `create_usage`. */
import { INPUTS } from "../contract/inputs.ts";
import { CANDIDATE_LIMIT, type ObservationSearchResult } from "../contract/search.ts";
import { observationWithCompany } from "../dataset/present.ts";
import type { MeteredAction } from "../operations/action.ts";
import { type Answer, shownEntries } from "../operations/answer.ts";
import { frozenWork, searchFrame, type SearchInputs, searchWork } from "./page.ts";
import { refuseNegationAlone } from "./unsupported.ts";
import { momentOf, type Retriever } from "./retriever.ts";

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
    maximumUnits: ({ limit }) => limit,
    async perform({ now }, inputs, { frozen }) {
      return frozen === null ? await search(inputs, now) : frozenWork(frozen);
    },
    present,
  };
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
