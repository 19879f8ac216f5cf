/** Sends queries to a retriever in the same way as the actions. */
import type { DeliveryEntry } from "../../../src/operations/action.ts";
import type { Retriever } from "../../../src/search/retriever.ts";
import { normalizeFilters, normalizeQuery } from "../../support/inputs.ts";

/** A query with its filters and its time. */
interface Asking {
  query: string;
  filters?: unknown;
  /** Time of the query. Observations that have expired by then are left out. */
  now?: Date;
}

/** Returns the companies that are found, best first, each with its observations. */
export async function findCompanies(
  retriever: Retriever,
  asking: Asking,
): Promise<DeliveryEntry[]> {
  const { entries } = await retriever.search(requestOf(asking));
  return entries;
}

/** Returns the ids of the observations that are found singly, best first. */
export async function findObservations(retriever: Retriever, asking: Asking): Promise<number[]> {
  const { entries } = await retriever.searchObservations(requestOf(asking));
  return entries.flatMap(({ observation_ids }) => observation_ids);
}

function requestOf({ query, filters = {}, now = new Date() }: Asking) {
  return { query: normalizeQuery(query), filters: normalizeFilters(filters), now };
}
