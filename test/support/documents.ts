/** Makes documents of the index. Members that a test omits have default values. */
import type { ObservationDocument } from "../../src/search/index/document.ts";

/** Returns a document of an observation. */
export function observationDocument(
  observation_id: number,
  part: Partial<ObservationDocument> = {},
): ObservationDocument {
  return {
    observation_id,
    company_id: observation_id,
    kind: "facility_expansion",
    demand_class: "proxy",
    country: "CA",
    occurred_at: "2026-03-01T00:00:00.000000Z",
    observed_at: "2026-03-02T09:00:00.000000Z",
    expires_at: null,
    hostnames: [],
    facets: [],
    amount: null,
    closes_at: null,
    sectors: [],
    ...{ company: "", observed_fact: "", why_it_may_matter: "", texts: [] },
    ...part,
  };
}
