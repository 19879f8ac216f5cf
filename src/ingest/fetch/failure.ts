/** Failures of fetches, with their kinds. */
import { readRetryAfter } from "../../retry_after.ts";
import type { HttpReply } from "./exchange.ts";

/** Kinds of failure. */
export type FetchFault =
  | "address_refused"
  | "robots_refused"
  | "too_large"
  | "timeout"
  | "http_status"
  | "network"
  | "bad_encoding"
  | "bad_redirect"
  | "bad_address";

interface FailureFacts {
  http_status?: number;
  retry_at?: Date;
  temporary?: boolean;
}

/**
 * A fetch that failed. The message may be logged and shown: it names the host and the fault, but no
 * path, query, header or body.
 */
export class FetchFailure extends Error {
  override name = "FetchFailure";
  /** The status of the answer, if the fault is http_status. */
  readonly http_status?: number;
  /** Time before which the host refuses further requests. */
  readonly retry_at?: Date;
  /** True if the same request may succeed later. */
  readonly temporary: boolean;

  constructor(readonly fault: FetchFault, message: string, facts: FailureFacts = {}) {
    super(message);
    this.temporary = facts.temporary ?? false;
    this.http_status = facts.http_status;
    this.retry_at = facts.retry_at;
  }
}

/** Statuses of temporary failures. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Returns the failure for a status. A 429 or 503 has the time of the host's Retry-After. */
export function statusFailure(
  { status, headers }: Pick<HttpReply, "status" | "headers">,
  { hostname }: URL,
  now: Date,
): FetchFailure {
  const mayNameRetry = status === 429 || status === 503;
  return new FetchFailure("http_status", `${hostname}: answered ${status}`, {
    http_status: status,
    temporary: TEMPORARY.has(status),
    retry_at: mayNameRetry ? readRetryAfter(headers["retry-after"], now) : undefined,
  });
}
