/** Descriptions of actions for callers: behaviour, inputs, costs, answers and error codes. */
import type { z } from "zod";
import { SearchFiltersInput } from "../contract/filters.ts";
import { INPUTS } from "../contract/inputs.ts";
import { ObservationListResult } from "../contract/listing.ts";
import { CompanyLookupResult, LOOKUP_TARGETS_MAX } from "../contract/lookup.ts";
import { CompanyResult, ObservationResult } from "../contract/observation.ts";
import { UsageReport } from "../contract/operation.ts";
import { OperationResult } from "../contract/schemas.ts";
import { CompanySearchResult } from "../contract/search.ts";
import * as examples from "./openapi_examples.ts";
import type { Route } from "./routes.ts";
import type { oas31 } from "zod-openapi";
import { Failure, FAILURE_CODES, type FailureCode } from "../failures.ts";
import { type HeaderName, headers } from "./openapi_headers.ts";

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
      `either \`ids[]\` or \`domains[]\`, 1 to ${LOOKUP_TARGETS_MAX} times, and nothing else. ` +
      "Hostnames without " +
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

const EVERY_ROUTE: readonly FailureCode[] = [
  "invalid_api_key",
  "subscription_required",
  "malformed_request",
  "method_not_allowed",
  "internal_error",
  "unavailable",
];

/**
 * Codes that are only outcomes of stored operations. Retries with the same key, and polls, return
 * them again.
 */
const STORED: readonly FailureCode[] = [
  "planning_unavailable",
  "retrieval_unavailable",
  "invalid_plan",
  "usage_expired",
  "usage_failed",
];

const METERED: readonly FailureCode[] = [
  "idempotency_conflict",
  "request_limit_reached",
  "delivery_limit_reached",
  "usage_expired",
  "usage_failed",
];

const JSON_BODY: readonly FailureCode[] = [
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
];

const OF_ACTION: Record<Route["action"], readonly FailureCode[]> = {
  search_companies: [
    "invalid_search",
    "unsupported_request",
    "invalid_cursor",
    "result_limit_reached",
    "too_many_requests",
    "planning_unavailable",
    "retrieval_unavailable",
    "invalid_plan",
  ],
  search_observations: [
    "invalid_search",
    "invalid_cursor",
    "result_limit_reached",
    "retrieval_unavailable",
  ],
  diagnostic: ["invalid_search"],
  get_companies: ["invalid_lookup"],
  list_observations: ["invalid_search", "invalid_cursor"],
  get_company: ["invalid_lookup", "company_not_found", "too_many_requests"],
  get_observation: ["invalid_search", "observation_not_found", "too_many_requests"],
  // A query is read, and a planner asked, after the operation was stored.
  get_operation: [
    "invalid_search",
    "usage_not_found",
    "too_many_requests",
    "unsupported_request",
    ...STORED,
  ],
  get_usage: ["invalid_search", "too_many_requests"],
};

/** Returns all codes of a route, in the order of the table of failures. */
export function failureCodes(route: Route): FailureCode[] {
  const codes = new Set([...EVERY_ROUTE, ...OF_ACTION[route.action]]);
  const add = (more: readonly FailureCode[]) => more.forEach((code) => codes.add(code));
  if (route.kind === "metered") add(METERED);
  if (route.input === "json") add(JSON_BODY);
  // With an empty id, or an id with a slash, the path has no route.
  if (route.input === "id") add(["not_found"]);
  return FAILURE_CODES.filter((code) => codes.has(code));
}

/** Returns one response for each status of the codes. */
export function errorResponses(codes: readonly FailureCode[]): oas31.ResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => new Failure(code).status);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      String(status),
      // All routes with only this code for a status share one component.
      same.length === 1 ? { $ref: `#/components/responses/${same[0]}` } : errorResponse(same),
    ]),
  );
}

/** Responses by code. */
export const ERROR_COMPONENTS: Record<string, oas31.ResponseObject> = Object.fromEntries(
  FAILURE_CODES.map((code) => [code, errorResponse([code])]),
);

function errorResponse(codes: readonly FailureCode[]): oas31.ResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${new Failure(code).message}`).join("\n\n"),
    headers: errorHeaders(codes),
    content: {
      "application/json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/ErrorEnvelope" },
            objectOf("error", objectOf("code", { type: "string", enum: [...codes] })),
          ],
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, {
            summary: new Failure(code).message,
            value: examples.errorExample(code, { stored: STORED.includes(code) }),
          }]),
        ),
      },
    },
  };
}

/** Returns the schema of an object that has at least this field. */
function objectOf(field: string, schema: oas31.SchemaObject): oas31.SchemaObject {
  return { type: "object", properties: { [field]: schema }, required: [field] };
}

/** Returns the headers of a status. A header is required if the answer of every code has it. */
function errorHeaders(codes: readonly FailureCode[]): oas31.HeadersObject {
  const lists = codes.map(headersOf);
  const all = [...new Set(lists.flatMap(({ always, perhaps }) => [...always, ...perhaps]))];
  const always = all.filter((name) => lists.every((list) => list.always.includes(name)));
  return headers(always, all);
}

function headersOf(code: FailureCode): { always: HeaderName[]; perhaps: HeaderName[] } {
  const allowance: HeaderName[] = ["RateLimit", "RateLimit-Policy"];
  if (STORED.includes(code)) return { always: allowance, perhaps: ["Idempotency-Replayed"] };
  switch (code) {
    case "invalid_api_key":
      return { always: ["WWW-Authenticate"], perhaps: [] };
    case "method_not_allowed":
      return { always: ["Allow"], perhaps: [] };
    case "request_limit_reached":
    case "delivery_limit_reached":
      return { always: ["Retry-After", ...allowance], perhaps: [] };
    case "too_many_requests":
    case "unavailable":
      return { always: ["Retry-After"], perhaps: [] };
    // This code may occur before or after the operation is stored.
    case "unsupported_request":
      return { always: [], perhaps: [...allowance, "Idempotency-Replayed"] };
    default:
      return { always: [], perhaps: [] };
  }
}
