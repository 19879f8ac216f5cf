/** Ends operations: settles or fails them, each in one statement (room 5 of ARCHITECTURE.md). */
import type { Caller, Context, MeteredAction, Work } from "./action.ts";
import { accepted, type Answer, type Refusal } from "./answer.ts";
import type { Lease } from "./claim.ts";

/** Performed work of an operation under its lease. */
export interface Settlement<Inputs extends object> {
  action: MeteredAction<Inputs>;
  lease: Lease;
  /** Null for background work, whose answer no caller awaits. */
  caller: Caller | null;
  /** Max number of entries of the page; null if the action has no pages. */
  limit: number | null;
  work: Work;
}

/**
 * Delivers and charges an operation. This happens exactly once, because only the holder of the
 * lease can do it.
 * @returns the answer to the caller; its outcome is `found` if another process has taken the lease.
 * Without a caller, it has only the outcome and, if settled, the operation
 * @throws Failure invalid_api_key if the caller's key was revoked meanwhile
 */
export async function settle<Inputs extends object>(
  { sql, now }: Context,
  { action, lease, caller, limit, work }: Settlement<Inputs>,
): Promise<Answer<Inputs>> {
  const [row] = await sql<{ settlement: Answer<Inputs> | Refusal }[]>`
    select settle_operation(
      ${caller?.key_hash ?? null},
      ${lease.operation_id},
      ${lease.token},
      ${sql.json(work.entries as never)},
      ${limit},
      ${action.delivery_unit},
      ${sql.json(work.facts as never)},
      ${limit === null ? null : createCursor()},
      ${work.next === undefined ? null : sql.json(work.next as never)},
      ${work.refresh_hostnames ?? []},
      ${work.fresh_observation_ids ?? []},
      ${now?.() ?? null}
    ) as settlement
  `;
  return accepted(row!.settlement);
}

/**
 * Ends an operation by a failure that is replayed for its key. @returns whether the lease was still
 * held
 */
export async function fail({ sql, now }: Context, lease: Lease, code: string): Promise<boolean> {
  const [row] = await sql<{ failed: boolean }[]>`
    select fail_operation(
      ${lease.operation_id}, ${lease.token}, ${code}, ${now?.() ?? null}
    ) as failed
  `;
  return row!.failed;
}

/**
 * Returns an opaque cursor: 192 random bits, so that no cursor can be guessed from another one. The
 * database keeps it with the account, the search and the position, and checks it when a request is
 * claimed.
 */
function createCursor(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
}
