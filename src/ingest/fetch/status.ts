/** What a status that is no answer means, and when to ask again. */
import { FetchFailure } from "./failure.ts";
import type { Reply } from "./exchange.ts";

/** Statuses that say of themselves that they pass. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** No host keeps us away for longer than this by one answer. */
const RETRY_AFTER_MOST_SECONDS = 86_400;

export function statusFailure(
  { status, headers }: Pick<Reply, "status" | "headers">,
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

/** Seconds or a date (RFC 9110, 10.2.3); a time that is over, and anything else, says nothing. */
export function readRetryAfter(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return;
  const at = /^[0-9]+$/.test(text) ? now.getTime() + Number(text) * 1_000 : Date.parse(text);
  if (!(at > now.getTime())) return;
  return new Date(Math.min(at, now.getTime() + RETRY_AFTER_MOST_SECONDS * 1_000));
}
