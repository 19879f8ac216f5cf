/** States every refusal of the service: its code, its HTTP status and its message. */
import type { Allowance, Operation } from "./contract/operation.ts";

/**
 * The refusals that a caller can act on. Only this table defines a code, its HTTP status and its
 * usual message. It has the codes of docs/specification.md, section 7, and those of the transport.
 */
const FAILURES = {
  invalid_api_key: [401, "The API key is unknown, revoked or expired."],
  subscription_required: [402, "An active or trialing subscription is required."],
  invalid_lookup: [422, "Exactly one of ids and domains is required, and nothing else."],
  invalid_search: [422, "One or more inputs are invalid."],
  unsupported_request: [
    422,
    "This service does not answer such a request. Ask for companies by what they do or need. A " +
    'query that only excludes also needs a subject ("tenders, not construction") or a filter. A ' +
    "name belongs between quotation marks.",
  ],
  invalid_cursor: [
    422,
    "The cursor cannot be used for this search. Start again without one, with a new key.",
  ],
  idempotency_conflict: [
    422,
    "This idempotency key belongs to a request with other inputs. Use a new key for these inputs.",
  ],
  result_limit_reached: [
    422,
    "The limit exceeds the page size of the subscription's plan. Lower it.",
  ],
  request_limit_reached: [
    429,
    "The subscription's request allowance is used up. Try again at retry_at.",
  ],
  delivery_limit_reached: [
    429,
    "The delivery allowance cannot cover this request. Request less, or try again at retry_at.",
  ],
  too_many_requests: [
    429,
    "Too many reads in this minute, or too many unfinished requests. Try again at retry_at.",
  ],
  company_not_found: [
    404,
    "No company with this id is currently deliverable. Take an id from a new search.",
  ],
  observation_not_found: [
    404,
    "No observation with this id is currently deliverable. Take an id from a new search.",
  ],
  usage_not_found: [
    404,
    "No operation with this id is available to this account. Use the usage.id of its own answers.",
  ],
  planning_unavailable: [503, "The search could not be prepared. Try again with a new key."],
  retrieval_unavailable: [503, "The search could not be performed. Try again with a new key."],
  invalid_plan: [422, "The search plan was invalid. Try again with a new key."],
  usage_expired: [422, "The operation has expired. Use a new key to run the request again."],
  usage_failed: [422, "The operation ended unsuccessfully. Use a new key to run it again."],
  malformed_request: [400, "The Host header or the request target is missing or malformed."],
  not_found: [404, "There is nothing at this path."],
  method_not_allowed: [405, "This path does not support this method."],
  request_timeout: [408, "The body did not arrive in time."],
  payload_too_large: [413, "The body is larger than this service accepts."],
  unsupported_media_type: [415, "The body must be application/json, in UTF-8."],
  forbidden_origin: [403, "This origin may not call the service."],
  internal_error: [
    500,
    "Something went wrong on our side. Try again with the same key; the request id helps to find it.",
  ],
  unavailable: [503, "The service cannot answer at present. Try again shortly, with the same key."],
} as const satisfies Record<string, readonly [number, string]>;

/** Code of a failure. */
export type FailureCode = keyof typeof FAILURES;

/** All codes of the table. */
export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

/** Optional fields of a failure (specification 7, Envelope). */
export interface FailureDetails {
  /** Message that replaces the one of the table, for instance to name the invalid field. */
  message?: string;
  retry_at?: string;
  retry_after_seconds?: number;
  /** The stored operation that ended with the failure. */
  usage?: Operation;
  request_allowance?: Allowance;
}

/** Refusal that the caller can act on, with its code, HTTP status and message. */
export class Failure extends Error {
  override name = "Failure";
  readonly status: number;

  constructor(
    readonly code: FailureCode,
    readonly details: FailureDetails = {},
    options?: ErrorOptions,
  ) {
    super(details.message ?? FAILURES[code][1], options);
    this.status = FAILURES[code][0];
  }
}

/** Returns whether a text, such as one from the database, is a code of the table. */
export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURES, code);
}

/** Wrong arguments of a command, which lead to exit code 2 (docs/operators.md). */
export class UsageError extends Error {
  override name = "UsageError";
}
