/** Failures of fetches, with their kinds. */

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
