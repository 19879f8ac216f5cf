/** Descriptions of actions for callers: behaviour, inputs, costs and answers. */
import type { z } from "zod";
import { SearchFiltersInput } from "../contract/filters.ts";
import { INPUTS } from "../contract/inputs.ts";
import { ObservationListResult } from "../contract/listing.ts";
import { CompanyLookupResult } from "../contract/lookup.ts";
import { CompanyResult, ObservationResult } from "../contract/observation.ts";
import { UsageReport } from "../contract/operation.ts";
import { OperationResult } from "../contract/schemas.ts";
import { CompanySearchResult } from "../contract/search.ts";
import * as examples from "./openapi_examples.ts";
import type { Route } from "./routes.ts";

/** Description of an action for callers. */
export interface Description {
  tag: "Companies" | "Observations" | "Usage";
  summary: string;
  /** Markdown. */
  description: string;
  /** Body of a request: the action's input, with examples by name. */
  body?: { schema: z.ZodType; examples: Record<string, unknown> };
  /** Examples of query parameters by field name. */
  parameters?: Record<string, unknown>;
  /** Schema of the body with status 200. */
  result: z.ZodType;
  /** Examples of bodies with status 200, by name. */
  examples: Record<string, unknown>;
}

const COST = "Costs 1 request unit and 1 delivered unit for each distinct company delivered; an " +
  "identical retry with the same key costs nothing.";
const UNMETERED = "Unmetered: it takes no idempotency key and costs nothing.";
const LATER = "With status 202 the operation is not finished: poll `GET /api/usages/{id}` with " +
  "`usage.id`, waiting a second or two in between, or repeat the request with the same key.";
const LOST = "After a lost connection, repeat the request with the same key.";

/** Input of a company search, with names for its components in the document. */
const SEARCH_BODY = INPUTS.search_companies
  .extend({ filters: SearchFiltersInput.meta({ id: "SearchFilters" }).prefault({}) })
  .meta({ id: "CompanySearchRequest", description: INPUTS.search_companies.description });

/** Descriptions by action, for every action with a route. */
export const DESCRIPTIONS: Partial<Record<Route["action"], Description>> = {
  search_companies: {
    tag: "Companies",
    summary: "Search companies",
    description: "Finds the companies whose observations match a query best, under exact " +
      `filters.\n\n${COST} ${LATER} ${LOST}\n\nA next page repeats query, filters and limit, adds ` +
      "`cursor`, and needs a new key. Up to 100 companies are frozen by the first page: later " +
      "pages neither rank nor search again. An empty list of companies is a success.",
    body: { schema: SEARCH_BODY, examples: examples.SEARCH_REQUESTS },
    result: CompanySearchResult,
    examples: { delivered: examples.COMPANY_SEARCH },
  },
  get_companies: {
    tag: "Companies",
    summary: "Look up known companies",
    description: "Returns one outcome for each distinct target, by id or by hostname. Give " +
      "either `ids[]` or `domains[]`, 1 to 20 times, and nothing else. Hostnames without " +
      "coverage are queued for a scheduled refresh if a permitted source serves them.\n\n" +
      `${COST} ${LATER} ${LOST}`,
    parameters: examples.LOOKUP_PARAMETERS,
    result: CompanyLookupResult,
    examples: { delivered: examples.COMPANY_LOOKUP },
  },
  list_observations: {
    tag: "Observations",
    summary: "List observations recorded since a time",
    description:
      "Lists observations about the given hostnames that were recorded after `since`, oldest " +
      "first. To follow hostnames, pass the `as_of` of each page, with all its digits, as the " +
      "next `since`: nothing is missed, and `as_of` moves forward with every page. Request the " +
      "next page at once while `next_cursor` is not null. You may also go through the pages by " +
      "`next_cursor`, and pass the last `as_of`. Observations that a hostname gains later count " +
      "as recorded again for that hostname. This happens if its company gains the hostname, or " +
      "is merged, split or shown again. Hostnames without coverage are queued for a scheduled " +
      `refresh if a permitted source serves them.\n\n${COST} Every page needs a new key. ` +
      `${LATER} ${LOST}`,
    parameters: examples.LISTING_PARAMETERS,
    result: ObservationListResult,
    examples: { delivered: examples.OBSERVATION_LIST },
  },
  get_company: {
    tag: "Companies",
    summary: "Read one company",
    description:
      `Returns a company with its three latest observations that may be shown now. ${UNMETERED}`,
    result: CompanyResult,
    examples: { company: examples.COMPANY },
  },
  get_observation: {
    tag: "Observations",
    summary: "Read one observation",
    description: `Returns an observation with the evidence that may be shown now. ${UNMETERED}`,
    result: ObservationResult,
    examples: { observation: examples.OBSERVATION },
  },
  get_operation: {
    tag: "Usage",
    summary: "Poll or replay an operation",
    description: "Returns the operation of an earlier request of this account. The status is 202 " +
      "while it is pending or processing: wait a second or two before polling again. A delivered " +
      "operation has the body of its own action, with the evidence checked again: " +
      "`withheld_units` counts units that may no longer be shown. A failed or expired operation " +
      `has the error with which it ended.\n\n${UNMETERED}`,
    result: OperationResult,
    examples: {
      company_search: examples.COMPANY_SEARCH,
      company_lookup: examples.COMPANY_LOOKUP,
      observation_listing: examples.OBSERVATION_LIST,
      observation_search: examples.OBSERVATION_SEARCH,
      diagnostic: examples.DIAGNOSTIC,
    },
  },
  get_usage: {
    tag: "Usage",
    summary: "Read usage and limits",
    description:
      `Returns usage and limits of the subscription, which all of its keys share. ${UNMETERED}`,
    result: UsageReport,
    examples: { report: examples.USAGE },
  },
};
