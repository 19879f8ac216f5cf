/** Failures by the status of the answer. */
import { readRetryAfter } from "../../retry_after.ts";
import { FetchFailure } from "./failure.ts";
import type { HttpReply } from "./exchange.ts";

/** Statuses of temporary failures. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Returns the failure for a status, with the time of the host's Retry-After. */
export function statusFailure(
  { status, headers }: Pick<HttpReply, "status" | "headers">,
  { hostname }: URL,
  now: Date,
): FetchFailure {
  const asks = status === 429 || status === 503;
  return new FetchFailure("http_status", `${hostname}: answered ${status}`, {
    http_status: status,
    passing: PASSING.has(status),
    retry_at: asks ? readRetryAfter(headers["retry-after"], now) : undefined,
  });
}
