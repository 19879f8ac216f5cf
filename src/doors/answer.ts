/** Defines the parts of answers that both doors (HTTP and MCP) share, for replies and failures. */
import type { ErrorEnvelope } from "../contract/operation.ts";
import { toFailure } from "../db/failure.ts";
import { Failure } from "../failures.ts";
import { defectFields, type Log } from "../log.ts";
import type { AllowanceState, Reply } from "../operations/action.ts";
import { MeteredFailure } from "../operations/answer.ts";

/** Seconds until a retry after `unavailable`. Its usual causes end soon: a restart, a lock. */
const UNAVAILABLE_RETRY_SECONDS = 1;

/**
 * Facts in addition to a body: over HTTP, headers with these names; over MCP, members of `_meta`.
 */
export type AnswerFacts = Record<string, string>;

/** Returns the facts of a reply. */
export function replyFacts(
  { replayed, allowance }: Pick<Reply, "replayed" | "allowance">,
): AnswerFacts {
  return {
    ...replayed && { "Idempotency-Replayed": "true" },
    ...allowance && rateLimitFacts(allowance),
  };
}

/** Returns the facts of a failure. */
export function failureFacts(failure: Failure): AnswerFacts {
  const retryAfter = failure.code === "unavailable"
    ? UNAVAILABLE_RETRY_SECONDS
    : failure.details.retry_after_seconds;
  return {
    ...failure instanceof MeteredFailure && replyFacts(failure.facts),
    ...retryAfter !== undefined && { "Retry-After": String(retryAfter) },
  };
}

/** Returns the body of an answer to a failed request. */
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

/**
 * Turns any error into a failure that the caller may see. Logs the details that the caller must not
 * see.
 */
export function failureOf(
  thrown: unknown,
  { log, request_id }: { log: Log; request_id: string },
): Failure {
  const error = toFailure(thrown);
  // Reading the stack of an ordinary refusal would take half of its time.
  if (error instanceof Failure && error.cause === undefined) return error;
  const fields = { request_id, ...defectFields(thrown) };
  if (error instanceof Failure) {
    log.warn("request unavailable", fields);
    return error;
  }
  log.error("request failed by a defect", fields);
  return new Failure("internal_error");
}

/**
 * Returns the fields of the IETF draft "RateLimit header fields for HTTP" for request units. The last
 * week of a billing period is shorter than `w`; `t` tells its end.
 */
function rateLimitFacts(state: AllowanceState): AnswerFacts {
  const { window_limit, window_seconds, weekly_limit } = state;
  return {
    "RateLimit-Policy": `"window";q=${window_limit};w=${window_seconds}, ` +
      `"week";q=${weekly_limit};w=${7 * 86_400}`,
    "RateLimit": `"window";r=${state.window_remaining};t=${state.window_resets_in_seconds}, ` +
      `"week";r=${state.weekly_remaining};t=${state.week_resets_in_seconds}`,
  };
}
