/** Room 5: what ends an operation that this process holds the lease of. One statement each. */
import type { Caller, Context, MeteredAction, Work } from "./action.ts";
import { accepted, type Answer, type Refusal } from "./answer.ts";
import type { Lease } from "./claim.ts";
import { createCursor } from "./cursor.ts";

export interface Settlement<Inputs extends object> {
  action: MeteredAction<Inputs>;
  lease: Lease;
  /** Null for background work: nobody waits for the answer. */
  caller: Caller | null;
  limit: number | null;
  work: Work;
}

/**
 * Delivers and charges; exactly once, since only the lease's holder can.
 * @returns the answer to `caller`; its outcome is `found` where the lease was lost to another process
 */
export async function settle<Inputs extends object>(
  context: Context,
  { action, lease, caller, limit, work }: Settlement<Inputs>,
): Promise<Answer<Inputs>> {
  const { sql } = context;
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
      ${context.now?.() ?? null}
    ) as settlement
  `;
  return accepted(row!.settlement);
}

/** Ends an operation by a failure that its key replays for ever. @returns whether the lease held */
export async function fail(context: Context, lease: Lease, code: string): Promise<boolean> {
  const [row] = await context.sql<{ failed: boolean }[]>`
    select fail_operation(
      ${lease.operation_id}, ${lease.token}, ${code}, ${context.now?.() ?? null}
    ) as failed
  `;
  return row!.failed;
}
