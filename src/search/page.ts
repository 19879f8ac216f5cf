/** Inputs, frozen pages and result fields that company search and observation search share. */
import type { SearchFilters } from "../contract/filters.ts";
import { LIMITATIONS } from "../contract/result.ts";
import { CANDIDATE_LIMIT, type STOP_REASONS } from "../contract/search.ts";
import type { DeliveryEntry, Frozen, Work } from "../operations/action.ts";
import { type Answer, withheldUnits } from "../operations/answer.ts";
import type { Retrieval } from "./retriever.ts";

/** Inputs of a search, as its action normalizes them. */
export interface SearchInputs {
  query: string;
  filters: SearchFilters;
  limit: number;
}

/** Values that a delivered search stores in addition to its ids. */
export type SearchFacts = Pick<
  Retrieval,
  "retrieval" | "limitations" | "silent_observation_ids" | "asked_sources"
>;

/** Returns the work of a first page. Later pages continue with the same entries. */
export function searchWork(
  { entries, fresh_observation_ids, found_by_words: _, ...facts }: Retrieval,
): Work {
  return { entries, fresh_observation_ids, facts };
}

/**
 * Returns the work of a later page from the state that the previous page has frozen. Nothing is
 * planned or ranked again.
 */
export function frozenWork(frozen: Frozen): Work {
  const { entries, ...facts } = frozen as Frozen & { entries: DeliveryEntry[] };
  return { entries, facts };
}

/** Returns the fields that the results of both searches have in common. */
export function searchFrame(answer: Answer<SearchInputs>, shown: number) {
  const { result, next_cursor, start_position, inputs } = answer;
  const { entries, as_of, retrieval, limitations, asked_sources } = result as
    & typeof result
    & SearchFacts;
  // The limitation `dataset_read_only` does not apply to a search that has asked a source.
  const general = LIMITATIONS.filter((one) => !asked_sources || one !== "dataset_read_only");
  return {
    as_of,
    coverage_status: "partial" as const,
    limitations: [...general, ...limitations],
    next_cursor,
    withheld_units: withheldUnits(answer, shown),
    retrieval,
    ranking: "query_relevance_baseline" as const,
    candidate_limit: CANDIDATE_LIMIT,
    coverage: {
      stop_reason: stopReason(start_position, entries.length, inputs.limit),
      limitations,
    },
  };
}

/**
 * Returns the reason why a page stops. It is the reason at delivery, so a later withdrawal does not
 * change it.
 */
function stopReason(
  start: number,
  delivered: number,
  limit: number,
): (typeof STOP_REASONS)[number] {
  if (start + delivered === 0) return "no_match";
  return delivered === limit ? "limit_reached" : "shortlist_exhausted";
}
