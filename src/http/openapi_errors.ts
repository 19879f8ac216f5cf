/** Describes the codes of a route's failures and the form of these answers. */
import type { oas31 } from "zod-openapi";
import { Failure, FAILURE_CODES, type FailureCode } from "../failures.ts";
import { errorExample } from "./openapi_examples.ts";
import { type HeaderName, headers } from "./openapi_headers.ts";
import type { Route } from "./routes.ts";

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
  // A planner may find a request unsupported after the operation was stored.
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
            value: errorExample(code, { stored: STORED.includes(code) }),
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
