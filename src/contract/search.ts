/** Company search: its inputs (specification 4) and its result (specification 2). */
import { z } from "zod";
import { FoundCompany } from "./observation.ts";
import { Allowance, instant, Operation } from "./operation.ts";

export const DEFAULT_LIMIT = 10;

/** At most so many companies enter the frozen shortlist (specification 4, Pagination 2). */
export const CANDIDATE_LIMIT = 100;

/** At most so many observations support a company (specification 8). */
export const OBSERVATIONS_PER_COMPANY = 3;

/** The body of `POST /api/companies/search`, before query and filters are looked into. */
export const CompanySearchInput = z.strictObject({
  query: z.unknown().optional(),
  filters: z.unknown().optional(),
  limit: z.int().min(1).default(DEFAULT_LIMIT),
  cursor: z.string().nullable().default(null),
  background: z.boolean().default(false),
});

export const STOP_REASONS = ["limit_reached", "shortlist_exhausted", "no_match"] as const;

/** What every delivered result says of itself. */
const common = {
  usage: Operation,
  request_allowance: Allowance,
  as_of: instant,
  coverage_status: z.literal("partial"),
  limitations: z.array(z.string()),
  next_cursor: z.string().nullable(),
  withheld_units: z.int().min(0),
};

export const CompanySearchResult = z.strictObject({
  ...common,
  delivery_unit: z.literal("company"),
  retrieval: z.enum(["lexical", "hybrid"]),
  ranking: z.literal("query_relevance_baseline"),
  candidate_limit: z.int(),
  coverage: z.strictObject({
    requested_companies: z.int(),
    returned_companies: z.int(),
    stop_reason: z.enum(STOP_REASONS),
    limitations: z.array(z.string()),
  }),
  companies: z.array(FoundCompany),
});
export type CompanySearchResult = z.infer<typeof CompanySearchResult>;
