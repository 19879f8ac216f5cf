/** Examples of the machine-readable contract. The examples of all actions are about one company. */
import type { ObservationListResult } from "../contract/listing.ts";
import type { CompanyLookupResult } from "../contract/lookup.ts";
import type { Company, NestedObservation } from "../contract/observation.ts";
import type {
  Allowance,
  DiagnosticResult,
  ErrorEnvelope,
  Operation,
  PendingResult,
  UsageReport,
} from "../contract/operation.ts";
import { LIMITATIONS } from "../contract/result.ts";
import type { CompanySearchResult, ObservationSearchResult } from "../contract/search.ts";
import { Failure, type FailureCode } from "../failures.ts";

const AS_OF = "2026-03-05T12:00:00.000000Z";

const observation: NestedObservation = {
  id: 311,
  kind: "facility_expansion",
  observed_fact: "A second freezer warehouse is being built in Laval.",
  why_it_may_matter: "New halls need refrigeration and racking.",
  demand_class: "proxy",
  country: "CA",
  confidence: 0.8,
  occurred_at: "2026-03-01T00:00:00Z",
  observed_at: "2026-03-02T09:00:00Z",
  expires_at: null,
  evidence: [{
    source_uri: "https://news.example/17",
    excerpt: "The company said that the second hall opens in autumn.",
    occurred_at: "2026-03-01T00:00:00Z",
    observed_at: "2026-03-02T09:00:00Z",
    last_seen_at: "2026-03-04T02:00:00Z",
  }],
  categories: ["31-33"],
};
const identity = { id: 17, name: "Northwind Foods" };

const company: Company = {
  ...identity,
  domains: [{ id: 23, hostname: "northwind.example" }],
  observations: [observation],
  limitations: ["single_source"],
};

const allowance: Allowance = {
  window_seconds: 3600,
  window_remaining: 119,
  weekly_remaining: 1999,
};

const operation = (changes: Partial<Operation>): Operation => ({
  id: 5021,
  status: "delivered",
  request_key: "6f1c2a4e-search-page-1",
  request_units: 1,
  delivered_units: 1,
  fresh_evidence_units: 0,
  ...changes,
});
const unsettled = { request_units: 0, delivered_units: 0 };

const delivered = {
  request_allowance: allowance,
  as_of: AS_OF,
  coverage_status: "partial",
  limitations: LIMITATIONS,
  withheld_units: 0,
} as const;

const searchFrame = {
  ...delivered,
  next_cursor: null,
  retrieval: "lexical",
  ranking: "query_relevance_baseline",
  candidate_limit: 100,
} as const;

export const PENDING: PendingResult = {
  usage: operation({ status: "pending", ...unsettled }),
  request_allowance: allowance,
};

export const SEARCH_REQUESTS = {
  search: {
    query: "new warehouse with cold storage",
    filters: { countries: ["CA"], observed_after: "2026-01-01T00:00:00Z" },
    limit: 10,
  },
  in_the_background: { query: "tenders for snow removal", background: true },
};

export const LOOKUP_PARAMETERS = { ids: [17, 42] };

export const LISTING_PARAMETERS = { domains: ["northwind.example"], since: "2026-03-01T00:00:00Z" };

export const COMPANY_SEARCH: CompanySearchResult = {
  ...searchFrame,
  usage: operation({}),
  delivery_unit: "company",
  coverage: {
    requested_companies: 10,
    returned_companies: 1,
    stop_reason: "shortlist_exhausted",
    limitations: [],
  },
  companies: [{
    ...identity,
    limitations: ["single_source"],
    demand_class: observation.demand_class,
    why_it_may_matter: observation.why_it_may_matter,
    match: { query: SEARCH_REQUESTS.search.query, observation_ids: [observation.id] },
    observations: [observation],
  }],
};

export const OBSERVATION_SEARCH: ObservationSearchResult = {
  ...searchFrame,
  usage: operation({ id: 5022, request_key: "6f1c2a4e-observations" }),
  delivery_unit: "observation",
  coverage: {
    requested_observations: 10,
    returned_observations: 1,
    stop_reason: "shortlist_exhausted",
    limitations: [],
  },
  observations: [{ ...observation, company: identity }],
};

export const COMPANY_LOOKUP: CompanyLookupResult = {
  ...delivered,
  usage: operation({ id: 5023, request_key: "6f1c2a4e-lookup" }),
  delivery_unit: "company",
  companies: [company],
  lookups: [
    { hostname: "northwind.example", status: "found", company_id: identity.id },
    { hostname: "unheard-of.example", status: "not_found" },
  ],
};

export const OBSERVATION_LIST: ObservationListResult = {
  ...delivered,
  usage: operation({ id: 5024, request_key: "6f1c2a4e-listing" }),
  next_cursor: null,
  delivery_unit: "company",
  observations: [{ ...observation, company: identity }],
  domains: [
    { hostname: "northwind.example", status: "found" },
    { hostname: "unheard-of.example", status: "not_found" },
  ],
};

export const COMPANY = { company };
export const OBSERVATION = { observation: { ...observation, company: identity } };

export const USAGE: UsageReport = {
  subscription: {
    plan: "builder",
    status: "active",
    current_period_start: "2026-03-01T00:00:00Z",
    current_period_end: "2026-04-01T00:00:00Z",
  },
  usage: {
    request_units: 1,
    weekly_request_units: 1,
    delivered_units: 1,
    weekly_delivered_units: 1,
    fresh_evidence_units: 0,
  },
  limits: {
    request_units: 120,
    weekly_request_units: 2000,
    delivered_units: 1000,
    weekly_delivered_units: 10_000,
  },
  reservations: { request_units: 0, delivered_units: 0 },
};

export const DIAGNOSTIC: DiagnosticResult = {
  usage: operation({ id: 5025, request_key: "6f1c2a4e-diagnostic", delivered_units: 0 }),
  request_allowance: allowance,
  subscription: USAGE.subscription,
  limits: USAGE.limits,
};

/**
 * Returns an example of an error: with its operation if the code ends operations, and with the time
 * of the next attempt if an allowance is exhausted.
 */
export function errorExample(code: FailureCode, about: { stored: boolean }): ErrorEnvelope {
  const { message } = new Failure(code);
  if (about.stored) {
    const usage = operation({ status: "failed", ...unsettled });
    return { error: { code, message }, usage, request_allowance: allowance };
  }
  if (code !== "request_limit_reached" && code !== "delivery_limit_reached") {
    return { error: { code, message } };
  }
  const spent = code === "request_limit_reached" ? { window_remaining: 0 } : {};
  return {
    error: { code, message, retry_at: "2026-03-05T13:00:00Z", retry_after_seconds: 3600 },
    request_allowance: { ...allowance, ...spent },
  };
}
