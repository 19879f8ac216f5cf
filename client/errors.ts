/** Errors of the client: one class per code of the service, and one for a failed connection. */
import type { components } from "./openapi.ts";

/** An error code of the service. */
export type ErrorCode = components["schemas"]["ErrorCode"];

type Envelope = components["schemas"]["ErrorEnvelope"];

/** Body of an error. A later version of the service may have further codes. */
export interface ErrorEnvelope extends Omit<Envelope, "error"> {
  error: Omit<Envelope["error"], "code"> & { code: string };
}

/** Data of a failed request that are not in the body of its answer. */
export interface ErrorFacts {
  /** HTTP status. */
  status: number;
  /** Id of the answer. State it in questions to the operator. */
  request_id?: string;
  /** Idempotency key of a metered request. A request that is repeated with it is charged once. */
  request_key?: string;
}

/**
 * Error that an answer of the service contains. Most codes have a subclass. The others have this
 * class itself, for instance `unexpected_answer`: a proxy answered instead of the service.
 */
export class ServiceError extends Error {
  /** Code of the failure, by which programs decide what to do. */
  readonly code: string;
  readonly status: number;
  readonly request_id?: string;
  readonly request_key?: string;
  /** Instant at which the exhausted allowance is renewed. */
  readonly retry_at?: string;
  readonly retry_after_seconds?: number;
  /** The stored operation that ended with this error. */
  readonly usage?: ErrorEnvelope["usage"];
  readonly request_allowance?: ErrorEnvelope["request_allowance"];

  constructor({ error, usage, request_allowance }: ErrorEnvelope, facts: ErrorFacts) {
    super(error.message);
    this.name = new.target.name;
    this.code = error.code;
    this.status = facts.status;
    this.request_id = facts.request_id;
    this.request_key = facts.request_key;
    this.retry_at = error.retry_at;
    this.retry_after_seconds = error.retry_after_seconds;
    this.usage = usage;
    this.request_allowance = request_allowance;
  }
}

/** Error of a request that got no complete answer in any of its attempts. */
export class ConnectionError extends Error {
  /** Idempotency key of a metered request, which may have been charged. Repeat it with this key. */
  readonly request_key?: string;

  constructor(message: string, { request_key, cause }: { request_key?: string; cause?: unknown }) {
    super(message, { cause });
    this.name = "ConnectionError";
    this.request_key = request_key;
  }
}

export class InvalidApiKeyError extends ServiceError {}
export class SubscriptionRequiredError extends ServiceError {}
export class InvalidLookupError extends ServiceError {}
export class InvalidSearchError extends ServiceError {}
export class UnsupportedRequestError extends ServiceError {}
export class InvalidCursorError extends ServiceError {}
export class IdempotencyConflictError extends ServiceError {}
export class ResultLimitReachedError extends ServiceError {}
export class RequestLimitReachedError extends ServiceError {}
export class DeliveryLimitReachedError extends ServiceError {}
export class TooManyRequestsError extends ServiceError {}
export class CompanyNotFoundError extends ServiceError {}
export class ObservationNotFoundError extends ServiceError {}
export class UsageNotFoundError extends ServiceError {}
export class PlanningUnavailableError extends ServiceError {}
export class RetrievalUnavailableError extends ServiceError {}
export class InvalidPlanError extends ServiceError {}
export class UsageExpiredError extends ServiceError {}
export class UsageFailedError extends ServiceError {}
export class MalformedRequestError extends ServiceError {}
export class NotFoundError extends ServiceError {}
export class MethodNotAllowedError extends ServiceError {}
export class RequestTimeoutError extends ServiceError {}
export class PayloadTooLargeError extends ServiceError {}
export class UnsupportedMediaTypeError extends ServiceError {}
export class ForbiddenOriginError extends ServiceError {}
export class InternalError extends ServiceError {}
export class UnavailableError extends ServiceError {}

/** Class of each code. `retry` is true if the same request with the same key may succeed later. */
export const ERRORS: Readonly<Record<ErrorCode, { type: typeof ServiceError; retry: boolean }>> = {
  invalid_api_key: { type: InvalidApiKeyError, retry: false },
  subscription_required: { type: SubscriptionRequiredError, retry: false },
  invalid_lookup: { type: InvalidLookupError, retry: false },
  invalid_search: { type: InvalidSearchError, retry: false },
  unsupported_request: { type: UnsupportedRequestError, retry: false },
  invalid_cursor: { type: InvalidCursorError, retry: false },
  idempotency_conflict: { type: IdempotencyConflictError, retry: false },
  result_limit_reached: { type: ResultLimitReachedError, retry: false },
  request_limit_reached: { type: RequestLimitReachedError, retry: true },
  delivery_limit_reached: { type: DeliveryLimitReachedError, retry: true },
  too_many_requests: { type: TooManyRequestsError, retry: true },
  company_not_found: { type: CompanyNotFoundError, retry: false },
  observation_not_found: { type: ObservationNotFoundError, retry: false },
  usage_not_found: { type: UsageNotFoundError, retry: false },
  planning_unavailable: { type: PlanningUnavailableError, retry: false },
  retrieval_unavailable: { type: RetrievalUnavailableError, retry: false },
  invalid_plan: { type: InvalidPlanError, retry: false },
  usage_expired: { type: UsageExpiredError, retry: false },
  usage_failed: { type: UsageFailedError, retry: false },
  malformed_request: { type: MalformedRequestError, retry: false },
  not_found: { type: NotFoundError, retry: false },
  method_not_allowed: { type: MethodNotAllowedError, retry: false },
  request_timeout: { type: RequestTimeoutError, retry: true },
  payload_too_large: { type: PayloadTooLargeError, retry: false },
  unsupported_media_type: { type: UnsupportedMediaTypeError, retry: false },
  forbidden_origin: { type: ForbiddenOriginError, retry: false },
  internal_error: { type: InternalError, retry: true },
  unavailable: { type: UnavailableError, retry: true },
};

/** Returns the error of an answer, in the class of its code. */
export function errorOf(envelope: ErrorEnvelope, facts: ErrorFacts): ServiceError {
  const { type } = entryOf(envelope);
  return new type(envelope, facts);
}

/** Returns the class of an error's code, and whether a retry with the same key may succeed. */
export function entryOf({ error }: ErrorEnvelope): (typeof ERRORS)[ErrorCode] {
  return Object.hasOwn(ERRORS, error.code)
    ? ERRORS[error.code as ErrorCode]
    : { type: ServiceError, retry: false };
}
