/** Settles operations (room 5), each in one statement. */
import type { Context, Work } from "./action.ts";
import { type ClaimRequest, type Lease, restrictions } from "./claim.ts";
import type { Answer } from "./answer.ts";
import { createCursor } from "./cursor.ts";
import { type Delivery, listDelivery, readSettlement, type SettlementAnswer } from "./delivery.ts";
import { identify } from "./identity.ts";

export interface Settlement<Inputs extends object> extends Omit<Delivery<Inputs>, "frozen"> {
  lease: Lease;
}

/**
 * Delivers and charges an operation. This happens exactly once, because only the holder of the
 * lease can do it.
 * @returns the answer to `caller`; its outcome is `found` if another process has taken the lease
 */
export async function settle<Inputs extends object>(
  context: Context,
  { lease, ...performed }: Settlement<Inputs>,
): Promise<Answer<Inputs>> {
  const { action, caller, limit, work } = performed;
  const { sql } = context;
  const delivery = { ...performed, frozen: lease.frozen };
  const lists = listDelivery(delivery, context.texts);
  const [row] = await sql<{ settlement: SettlementAnswer<Inputs> }[]>`
    select settle_operation(
      ${caller?.key_hash ?? null},
      ${lease.operation_id},
      ${lease.token},
      ${lists.company_ids},
      ${lists.places},
      ${lists.observation_ids},
      ${lists.known},
      ${lists.page ? sql.json(lists.page.entries as never) : null},
      ${lists.confirmed?.moment ?? null},
      ${lists.confirmed?.expires_at ?? null},
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
  return await readSettlement(context, delivery, lists, row!.settlement);
}

/**
 * Claims and settles a performed first page in one statement. This happens exactly once, because
 * only one operation can have the request key.
 * @returns the answer to the caller; its outcome is `found` if the key has an operation already.
 * Undefined if nothing was done, because a source has to be asked first
 * @throws Failure if the request is refused before an operation is created
 */
export async function claimAndSettle<Inputs extends object>(
  context: Context,
  { action, caller, request_key, request, deadline_seconds }: ClaimRequest<Inputs>,
  work: Work,
): Promise<Answer<Inputs> | undefined> {
  const { sql } = context;
  const { inputs } = request;
  const { fingerprint, scope } = identify(action.name, request);
  const filters = restrictions(action, inputs);
  const limit = action.pageLimit(inputs);
  const delivery = { action, inputs, caller, limit, work, frozen: null };
  const lists = listDelivery(delivery, context.texts);
  const [row] = await sql<{ settlement: SettlementAnswer<Inputs> | Unfilled }[]>`
    select claim_and_settle_operation(
      ${caller.key_hash},
      ${action.name},
      ${request_key},
      ${fingerprint},
      ${scope},
      ${sql.json(inputs as never)},
      ${filters && sql.json(filters as never)},
      ${deadline_seconds},
      ${lists.company_ids},
      ${lists.places},
      ${lists.observation_ids},
      ${lists.known},
      ${lists.page ? sql.json(lists.page.entries as never) : null},
      ${lists.confirmed?.moment ?? null},
      ${lists.confirmed?.expires_at ?? null},
      ${limit},
      ${action.delivery_unit},
      ${sql.json(work.facts as never)},
      ${work.unfilled ?? false},
      ${createCursor()},
      ${context.now?.() ?? null}
    ) as settlement
  `;
  const { settlement } = row!;
  if (isUnfilled(settlement)) return;
  return await readSettlement(context, delivery, lists, settlement);
}

/** Answer of claim_and_settle_operation if it did nothing, because a source has to be asked. */
interface Unfilled {
  outcome: "unfilled";
}

function isUnfilled(answer: { outcome: string }): answer is Unfilled {
  return answer.outcome === "unfilled";
}

/**
 * Ends an operation by a failure that is replayed for its key. @returns whether the lease was still
 * held
 */
export async function fail(context: Context, lease: Lease, code: string): Promise<boolean> {
  const [row] = await context.sql<{ failed: boolean }[]>`
    select fail_operation(
      ${lease.operation_id}, ${lease.token}, ${code}, ${context.now?.() ?? null}
    ) as failed
  `;
  return row!.failed;
}
