/** Our engine with the ranking of the service and a model that is learned from the documents. */
import { normalizeFilters } from "../../test/support/inputs.ts";
import { rankCompanies, rankObservations } from "../../src/search/ranking/rank.ts";
import { readQuery } from "../../src/search/reading/read_query.ts";
import { resolve } from "../../src/search/reading/resolve.ts";
import { SemanticModel } from "../../src/search/semantics/model.ts";
import { learnEncoded } from "../../src/search/semantics/sample.ts";
import type { Searcher } from "../measure.ts";
import type { Query } from "../queries.ts";
import { NOW, type Ours } from "./ours.ts";

/** Searches for observations and for companies. */
export interface Hybrid {
  search: Searcher["search"];
  shortlist: Searcher["search"];
}

/** Learns a model from the documents of a filled index, and returns the searches. */
export function createHybrid({ index }: Ours): Hybrid {
  const model = SemanticModel.decode(1, learnEncoded(index.state()));
  const requestOf = ({ text, filter }: Query) => ({
    question: resolve(readQuery(text, new Date(NOW)), index),
    filters: normalizeFilters(filter ? { countries: [filter.country], kinds: [filter.kind] } : {}),
    now: NOW,
    model,
  });
  return {
    search: (query, limit) =>
      rankObservations(index, { ...requestOf(query), observations: limit }).observations,
    shortlist: (query, companies) =>
      rankCompanies(index, { ...requestOf(query), companies, observations_per_company: 3 })
        .companies,
  };
}
