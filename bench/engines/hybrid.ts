/** Our engine with what the service puts on top of it: a model learned from the same documents. */
import type { CompanyHit, ObservationHit } from "../../src/search/engine/observation_index.ts";
import { termsOf } from "../../src/search/engine/question.ts";
import { words } from "../../src/search/engine/tokens.ts";
import { fuseCompanies, fuseObservations } from "../../src/search/semantics/fuse.ts";
import { SemanticModel } from "../../src/search/semantics/model.ts";
import { learnEncoded } from "../../src/search/semantics/sample.ts";
import type { Query } from "../queries.ts";
import type { Ours } from "./ours.ts";

export interface Hybrid {
  search(query: Query, limit: number): ObservationHit[];
  shortlist(query: Query, companies: number): CompanyHit[];
}

export function createHybrid(ours: Ours): Hybrid {
  const { index } = ours;
  const model = SemanticModel.decode(1, learnEncoded(index.state()));
  const meaningOf = ({ text }: Query) => ({
    index,
    model,
    keys: termsOf(words(text)).map(({ key }) => key),
  });
  return {
    search: (query, limit) => fuseObservations(ours.search(query, limit), meaningOf(query)),
    shortlist: (query, companies) =>
      fuseCompanies(ours.shortlist(query, companies), meaningOf(query)),
  };
}
