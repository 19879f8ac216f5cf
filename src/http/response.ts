/** From replies and failures to bytes: the one place where HTTP answers are written. */
import type { ErrorEnvelope } from "../contract/operation.ts";
import { Failure } from "../failures.ts";
import type { AllowanceState, Reply } from "../operations/action.ts";
import { MeteredFailure } from "../operations/answer.ts";

/** A stop, a restart or a lock is over within a moment. */
const UNAVAILABLE_RETRY_SECONDS = 1;

export function replyResponse(reply: Reply): Response {
  const headers = new Headers({ "cache-control": "no-store" });
  addFacts(headers, reply);
  return Response.json(reply.body, { status: reply.status, headers });
}

export function failureResponse(failure: Failure): Response {
  const headers = new Headers({ "cache-control": "no-store" });
  if (failure instanceof MeteredFailure) addFacts(headers, failure.facts);
  const retryAfter = failure.code === "unavailable"
    ? UNAVAILABLE_RETRY_SECONDS
    : failure.details.retry_after_seconds;
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  if (failure.status === 401) headers.set("www-authenticate", "Bearer");
  return Response.json(errorEnvelope(failure), { status: failure.status, headers });
}

export function errorEnvelope(failure: Failure): ErrorEnvelope {
  const { retry_at, retry_after_seconds, usage, request_allowance } = failure.details;
  return {
    error: {
      code: failure.code,
      message: failure.message,
      ...retry_at !== undefined && { retry_at },
      ...retry_after_seconds !== undefined && { retry_after_seconds },
    },
    ...usage && { usage },
    ...request_allowance && { request_allowance },
  };
}

function addFacts(
  headers: Headers,
  { replayed, allowance }: { replayed?: boolean; allowance?: AllowanceState },
): void {
  if (replayed) headers.set("idempotency-replayed", "true");
  if (allowance) {
    for (const [name, value] of Object.entries(rateLimitFields(allowance))) {
      headers.set(name, value);
    }
  }
}

/** The fields of the IETF draft "RateLimit header fields for HTTP" for request units. */
export function rateLimitFields(state: AllowanceState): Record<string, string> {
  const { window_limit, window_seconds, weekly_limit } = state;
  return {
    "ratelimit-policy": `"window";q=${window_limit};w=${window_seconds}, ` +
      `"week";q=${weekly_limit};w=${7 * 86_400}`,
    "ratelimit": `"window";r=${state.window_remaining};t=${state.window_resets_in_seconds}, ` +
      `"week";r=${state.weekly_remaining};t=${state.week_resets_in_seconds}`,
  };
}
