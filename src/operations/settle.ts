/** Ends operations: settles or fails them, each in one statement (room 5 of ARCHITECTURE.md). */
import type { FailureCode } from "../failures.ts";
import type { Caller, Context, MeteredAction, Work } from "./action.ts";
import type { Ending } from "./answer.ts";
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
 * @returns the answer to the caller; its outcome is `overtaken` if the lease was lost
 */
export async function settle<Inputs extends object>(
  { sql, now }: Context,
  { action, lease, caller, limit, work }: Settlement<Inputs>,
): Promise<Ending<Inputs>> {
  const [row] = await sql<{ settlement: Ending<Inputs> }[]>`
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
  return row!.settlement;
}

/**
 * Ends an operation by a failure that is replayed for its key.
 * @returns the answer to the caller; its outcome is `overtaken` if the lease was lost
 */
export async function fail<Inputs>(
  { sql, now }: Context,
  { lease, caller, code }: { lease: Lease; caller: Caller | null; code: FailureCode },
): Promise<Ending<Inputs>> {
  const [row] = await sql<{ failed: Ending<Inputs> }[]>`
    select fail_operation(
      ${caller?.key_hash ?? null}, ${lease.operation_id}, ${lease.token}, ${code}, ${
    now?.() ?? null
  }
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
