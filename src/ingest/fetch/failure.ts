/** Failures of fetches. */

/** The kinds of failure, for whoever counts or tests them. */
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
  passing?: boolean;
}

/**
 * A fetch that did not succeed. Its message names the host and the fault in words: never a path, a
 * query, a header or a body, so it may be logged and shown.
 */
export class FetchFailure extends Error {
  override name = "FetchFailure";
  readonly fault: FetchFault;
  /** The status that was answered, where the fault is one. */
  readonly http_status?: number;
  /** Time before which the host does not want to be asked again. */
  readonly retry_at?: Date;
  /** True if the same request may succeed later. */
  readonly passing: boolean;

  constructor(fault: FetchFault, message: string, facts: FailureFacts = {}) {
    super(message);
    this.fault = fault;
    this.passing = facts.passing ?? false;
    if (facts.http_status !== undefined) this.http_status = facts.http_status;
    if (facts.retry_at !== undefined) this.retry_at = facts.retry_at;
  }
}
