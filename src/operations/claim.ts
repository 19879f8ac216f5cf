/** Creates or finds the operation of a request key (step 3 of ARCHITECTURE.md). */
import { hash } from "node:crypto";
import type {
  Caller,
  ClaimedOperation,
  Context,
  MeteredAction,
  MeteredActionName,
  NormalizedRequest,
} from "./action.ts";
import { accepted, type Answer, type Refusal } from "./answer.ts";

/**
 * Seconds for which a process may hold an operation before another process takes it over. This is
 * longer than the sum of all time-outs between claim and settlement, which
 * test/operations/lease_test.ts adds up. If a process takes longer all the same, a sweep
 * ends its lease, and it then settles nothing.
 */
export const OPERATION_LEASE_SECONDS = 46;

/** Right to perform an operation until the lease ends. */
export interface Lease extends ClaimedOperation {
  token: string;
}

/** Answer of claim_operation if this process now holds the operation. */
type ClaimedAnswer = ClaimedOperation & { outcome: "claimed" };

/** Parameters of a claim. */
export interface ClaimRequest<Inputs extends object> {
  action: MeteredAction<Inputs>;
  caller: Caller;
  request_key: string;
  request: NormalizedRequest<Inputs>;
  deadline_seconds: number;
  /** Code with which this process refuses new work at present; absent: it admits new work. */
  refusal?: "unavailable" | "too_many_requests";
  /**
   * Identifier of the lease, by which it can be given back even if the answer is lost. Random if
   * absent.
   */
  token?: string;
}

/**
 * Claims the operation of a request key in one statement. Returns the lease of a new operation, or
 * the answer of the key's existing or queued operation.
 * @throws Failure if the request is refused before an operation is created
 */
export async function claim<Inputs extends object>(
  { sql, now }: Context,
  { action, caller, request_key, request, deadline_seconds, refusal, token = crypto.randomUUID() }:
    ClaimRequest<Inputs>,
): Promise<Lease | Answer<Inputs>> {
  const { fingerprint, scope } = identify(action.name, request);
  const filters = restrictions(action, request.inputs);
  const [row] = await sql<{ claim: ClaimedAnswer | Answer<Inputs> | Refusal }[]>`
    select claim_operation(
      ${caller.key_hash},
      ${action.name},
      ${request_key},
      ${fingerprint},
      ${scope},
      ${sql.json(request.inputs as never)},
      ${filters && sql.json(filters as never)},
      ${request.background},
      ${refusal ?? null},
      ${action.plan_limited ? action.pageLimit(request.inputs) : null},
      ${request.cursor},
      ${action.maximumUnits(request.inputs)},
      ${token},
      ${OPERATION_LEASE_SECONDS},
      ${deadline_seconds},
      ${now?.() ?? null}
    ) as claim
  `;
  const answer = accepted(row!.claim);
  if (answer.outcome !== "claimed") return answer as Answer<Inputs>;
  const { operation_id, frozen } = answer as ClaimedAnswer;
  return { operation_id, frozen, token };
}

/** Returns whether a claim has given a lease. */
export function isLease<Inputs>(claimed: Lease | Answer<Inputs>): claimed is Lease {
  return "token" in claimed;
}

/** Returns the filters that restrict the answer; null if there are none. */
function restrictions<Inputs extends object>(
  action: MeteredAction<Inputs>,
  inputs: Inputs,
): object | null {
  const filters = action.filters?.(inputs) ?? (inputs as { filters?: object }).filters ?? {};
  const restricting = Object.entries(filters)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  return restricting.length === 0 ? null : Object.fromEntries(restricting);
}

/**
 * Returns the identity of a request (specification 1, Idempotency and metering rules) as two SHA-256
 * hashes: `fingerprint` includes its cursor, `scope` does not. Neither includes the door and the
 * mode (direct or background). A repetition through the other door or in the other mode is therefore
 * the same operation.
 */
export function identify(
  action: MeteredActionName,
  { inputs, cursor }: NormalizedRequest<object>,
): { fingerprint: Uint8Array; scope: Uint8Array } {
  const text = `${action}\n${canonicalJson(inputs)}`;
  return {
    scope: hash("sha256", text, "buffer"),
    fingerprint: hash("sha256", cursor === null ? text : `${text}\n${cursor}`, "buffer"),
  };
}

/** Returns JSON with the members of every object in a fixed order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_name, member) =>
      member !== null && typeof member === "object" && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
  );
}
