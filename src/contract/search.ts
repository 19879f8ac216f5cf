/** Company search: its inputs (specification 4) and its result (specification 2). */
import { z } from "zod";
import { ObservationFiltersInput, SearchFiltersInput } from "./filters.ts";
import { FoundCompany, Observation } from "./observation.ts";
import { delivered, nextCursor } from "./result.ts";

export const DEFAULT_LIMIT = 10;

/** At most so many companies enter the frozen shortlist (specification 4, Pagination 2). */
export const CANDIDATE_LIMIT = 100;

/** At most so many observations support a company (specification 8). */
export const OBSERVATIONS_PER_COMPANY = 3;

/** Characters (code points) of a query. */
export const QUERY_LENGTH_MAX = 500;

/** The body of `POST /api/companies/search`, before query and filters are looked into. */
export const CompanySearchInput = z.strictObject({
  query: z.unknown().optional(),
  filters: z.unknown().optional(),
  limit: z.int().min(1).default(DEFAULT_LIMIT)
    .describe(
      "Companies a page; the plan's page size is the most: 25 (builder), 50 (professional).",
    ),
  cursor: z.unknown().optional(),
  background: z.boolean().default(false)
    .describe("true: answered with 202 at once and worked on later; poll the operation."),
});

/** The same body with what is looked into, as callers are told of it. */
export const CompanySearchRequest = CompanySearchInput.extend({
  query: z.string().min(1).max(QUERY_LENGTH_MAX).regex(/\S/)
    .describe("What is looked for, in English or French, as one would say it."),
  filters: SearchFiltersInput.default({}),
  cursor: z.string().nullish()
    .describe("The next_cursor of the page before; everything else stays as it was there."),
}).describe("A company search.");

/** An observation search has no background of its own and no filters of companies (4, MCP). */
export const ObservationSearchInput = CompanySearchInput.omit({ background: true });

export const ObservationSearchRequest = ObservationSearchInput.extend({
  ...CompanySearchRequest.pick({ query: true, cursor: true }).shape,
  filters: ObservationFiltersInput.default({}),
  limit: CompanySearchInput.shape.limit.describe(
    "Observations a page; the plan's page size is the most: 25 (builder), 50 (professional).",
  ),
}).describe("An observation search.");

export const STOP_REASONS = ["limit_reached", "shortlist_exhausted", "no_match"] as const;

const searchResult = {
  ...delivered,
  next_cursor: nextCursor,
  retrieval: z.enum(["lexical", "hybrid"])
    .describe("lexical: by words; hybrid: by words and meaning."),
  ranking: z.literal("query_relevance_baseline"),
  candidate_limit: z.int().describe("The most that all pages of a search can hold."),
};

const stopReason = z.enum(STOP_REASONS).describe(
  "limit_reached: the page is full; shortlist_exhausted: nothing else answers the query, and " +
    "the page is not filled up with what does not; no_match: nothing answers it.",
);

export const CompanySearchResult = z.strictObject({
  ...searchResult,
  delivery_unit: z.literal("company"),
  coverage: z.strictObject({
    requested_companies: z.int(),
    returned_companies: z.int(),
    stop_reason: stopReason,
    limitations: z.array(z.string()),
  }),
  companies: z.array(FoundCompany).describe("Best match first; an empty list is a success."),
}).describe("A completed company search.");
export type CompanySearchResult = z.infer<typeof CompanySearchResult>;

/** The result of an observation search: one delivered unit is an observation. */
export const ObservationSearchResult = z.strictObject({
  ...searchResult,
  delivery_unit: z.literal("observation"),
  coverage: z.strictObject({
    requested_observations: z.int(),
    returned_observations: z.int(),
    stop_reason: stopReason,
    limitations: z.array(z.string()),
  }),
  observations: z.array(Observation).describe("Best match first; an empty list is a success."),
}).describe("A completed observation search.");
export type ObservationSearchResult = z.infer<typeof ObservationSearchResult>;
