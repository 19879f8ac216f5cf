/** Turns HTTP statuses into failures of a fetch. */
import { readRetryAfter } from "../../retry_after.ts";
import { FetchFailure } from "./failure.ts";
import type { HttpReply } from "./exchange.ts";

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
