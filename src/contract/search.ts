/** Schemas of searches: inputs (specification 4) and results (specification 2). */
import { z } from "zod";
import {
  cursor,
  CURSOR_DESCRIPTION,
  expected,
  type FieldRefusal,
  inputObject,
  normalizing,
} from "./fields.ts";
import { ObservationFiltersInput, SearchFiltersInput } from "./filters.ts";
import { FoundCompany, Observation } from "./observation.ts";
import { delivered, nextCursor } from "./result.ts";

/** Number of entries per page by default. It is the default of specification 8. */
export const DEFAULT_LIMIT = 10;

/**
 * Max number of companies in the frozen shortlist (specification 4, Pagination 2). FETCHED_MAX of
 * src/search/remote has to exceed three times this number.
 */
export const CANDIDATE_LIMIT = 100;

/**
 * Max number of observations per company (specification 8). `latest_observations` in
 * sql/functions/dataset/read_company.sql has the same number.
 */
export const OBSERVATIONS_PER_COMPANY = 3;

/**
 * Max number of characters (code points) of a query whose ligatures are written out. It is the
 * limit of specification 8.
 */
export const QUERY_LENGTH_MAX = 500;

/** Query text, trimmed and in Unicode NFC. */
export const query = z.string(expected("a text")).meta({
  description: "The question, in English or French, as one would say it.",
  minLength: 1,
  maxLength: QUERY_LENGTH_MAX,
  pattern: "\\S",
}).check(normalizing(normalizeQuery));

/**
 * Max number of UTF-16 units of a query before its letters and marks are composed. A composed
 * character has at most four. Normalizing a long run of marks would take quadratic time.
 */
const RAW_UNITS_MAX = 4 * QUERY_LENGTH_MAX;

function normalizeQuery(text: string): string | FieldRefusal {
  if (!text.isWellFormed() || text.includes("\0")) return { sentence: "valid Unicode text" };
  const sentence = `1 to ${QUERY_LENGTH_MAX} characters`;
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > RAW_UNITS_MAX) return { sentence };
  const normalized = trimmed.normalize("NFC");
  if ([...normalized].length > QUERY_LENGTH_MAX) return { sentence };
  // The search writes ligatures out, and one of them can have 18 letters.
  if ([...normalized.normalize("NFKC")].length <= QUERY_LENGTH_MAX) return normalized;
  return { sentence: `${sentence}, of which a ligature counts as all its letters` };
}

const limit = z.int({ error: "an integer of at least 1" }).min(1, {
  error: "an integer of at least 1",
})
  .default(DEFAULT_LIMIT);

const nextPage = cursor.nullish().describe(CURSOR_DESCRIPTION);

const PLAN_SIZES =
  "per page, at most the plan's page size: by default 25 (builder) or 50 (professional).";

/** The body of `POST /api/companies/search`, and the arguments of its tool. */
export const CompanySearchRequest = inputObject({
  query,
  filters: SearchFiltersInput.prefault({}),
  limit: limit.describe(`Companies ${PLAN_SIZES}`),
  cursor: nextPage,
  background: z.boolean({ error: "true or false" }).default(false)
    .describe("true: the answer is 202 at once, and the search runs later. Poll the operation."),
}).describe("A company search.");

/** The arguments of an observation search, without filters of companies (specification 4, MCP). */
export const ObservationSearchRequest = inputObject({
  query,
  filters: ObservationFiltersInput.prefault({}),
  limit: limit.describe(`Observations ${PLAN_SIZES}`),
  cursor: nextPage,
}).describe("An observation search.");

export const STOP_REASONS = ["limit_reached", "shortlist_exhausted", "no_match"] as const;

const searchResult = {
  ...delivered,
  next_cursor: nextCursor,
  retrieval: z.enum(["lexical", "hybrid"])
    .describe("lexical: by words; hybrid: by words and meaning."),
  ranking: z.literal("query_relevance_baseline"),
  candidate_limit: z.int().describe("Max number of results on all pages of a search."),
};

const stopReason = z.enum(STOP_REASONS).describe(
  "limit_reached: the page is full; shortlist_exhausted: there is no further match, and the page " +
    "is not filled up with poor matches; no_match: nothing matches the query.",
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
