/** Reads the remaining request units of a subscription from the RateLimit headers. */

/** Request units of a window or of a week. */
export interface AllowanceShare {
  limit: number;
  remaining: number;
  /** Seconds until all units of the limit are available again. */
  resets_in_seconds: number;
}

/** Request units that all keys of the subscription share. */
export interface Allowance {
  window: AllowanceShare;
  week: AllowanceShare;
}

/** Returns the allowance that the headers of an answer state; undefined if they state none. */
export function readAllowance(headers: Headers): Allowance | undefined {
  const [left, policy] = [headers.get("ratelimit"), headers.get("ratelimit-policy")];
  if (left === null || policy === null) return undefined;
  const share = (name: string): AllowanceShare => ({
    limit: parameterOf(policy, `"${name}";q`),
    remaining: parameterOf(left, `"${name}";r`),
    resets_in_seconds: parameterOf(left, `"${name}";r=\\d+;t`),
  });
  const allowance = { window: share("window"), week: share("week") };
  const numbers = Object.values(allowance).flatMap((one) => Object.values(one));
  return numbers.some(Number.isNaN) ? undefined : allowance;
}

function parameterOf(text: string, name: string): number {
  return Number(new RegExp(`${name}=(\\d+)`).exec(text)?.[1] ?? NaN);
}
