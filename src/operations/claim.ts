/** Creates or finds the operation of a request key (room 3 of ARCHITECTURE.md). */
import type {
  Caller,
  ClaimedOperation,
  Context,
  Frozen,
  MeteredAction,
  NormalizedRequest,
} from "./action.ts";
import { accepted, type Answer, type Refusal, type StoredAnswer } from "./answer.ts";
import { identify } from "./identity.ts";
import { readFound } from "./replay.ts";

/**
 * Seconds for which a process may hold an operation before another process takes it over. This is
 * longer than the slowest perform plus the time-out of a statement. A perform takes up to 10 s for
 * a planner, 2 s for each of two retrievals, 2 s (by default) for an acquisition, and 2 s until its
 * records are in the index. A process that takes longer loses the lease and settles nothing.
 */
export const LEASE_SECONDS = 30;

/** Right to perform an operation until the lease ends. */
export interface Lease extends ClaimedOperation {
  token: string;
}

/** Parameters of a claim. */
export interface ClaimRequest<Inputs extends object> {
  action: MeteredAction<Inputs>;
  caller: Caller;
  request_key: string;
  request: NormalizedRequest<Inputs>;
  deadline_seconds: number;
  /**
   * Identifier of the lease, by which it can be given back even if the answer to the claim is lost.
   * Random if absent.
   */
  token?: string;
}

/**
 * Claims the operation of a request key in one statement. Returns the lease of a new operation, or
 * the answer of the key's existing operation.
 * @throws Failure if the request is refused before an operation is created
 */
export async function claim<Inputs extends object>(
  context: Context,
  { action, caller, request_key, request, deadline_seconds, token = crypto.randomUUID() }:
    ClaimRequest<Inputs>,
): Promise<Lease | Answer<Inputs>> {
  const { sql } = context;
  const { fingerprint, scope } = identify(action.name, request);
  const filters = restrictions(action, request.inputs);
  const [row] = await sql<{ claim: ClaimAnswer | StoredAnswer<Inputs> | Refusal }[]>`
    select claim_operation(
      ${caller.key_hash},
      ${action.name},
      ${request_key},
      ${fingerprint},
      ${scope},
      ${sql.json(request.inputs as never)},
      ${filters && sql.json(filters as never)},
      ${action.shows_hostnames ?? false},
      ${request.background},
      ${action.plan_limited ? action.pageLimit(request.inputs) : null},
      ${request.cursor},
      ${action.maximumUnits(request.inputs)},
      ${token},
      ${LEASE_SECONDS},
      ${deadline_seconds},
      ${context.now?.() ?? null}
    ) as claim
  `;
  const answer = accepted(row!.claim);
  if (!("shortlist" in answer)) return await readFound(context, caller, answer);
  return { operation_id: answer.operation_id, token, frozen: answer.shortlist };
}

/** Returns the filters that restrict the answer; null if there are none. */
export function restrictions<Inputs extends object>(
  action: MeteredAction<Inputs>,
  inputs: Inputs,
): object | null {
  const filters = action.filters?.(inputs) ?? (inputs as { filters?: object }).filters ?? {};
  const restricting = Object.entries(filters)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  return restricting.length === 0 ? null : Object.fromEntries(restricting);
}

/** Answer of claim_operation and lease_operation if this process now holds the operation. */
export interface ClaimAnswer {
  outcome: "claimed" | "leased";
  operation_id: number;
  shortlist: Frozen | null;
}

/** Returns whether a claim has given a lease. */
export function isLease<Inputs>(claimed: Lease | Answer<Inputs>): claimed is Lease {
  return "token" in claimed;
}
