/** Cancels background work that no process performs yet, and reads the times of an operation. */
import { Failure } from "../failures.ts";
import type { Caller, Context } from "./action.ts";
import { accepted, type Refusal } from "./answer.ts";

/** Times of an operation as instants in ISO 8601. */
interface OperationTimes {
  claimed_at: string;
  finished_at: string | null;
  /** True if the caller has cancelled the operation. */
  cancelled: boolean;
}

/**
 * Cancels a pending operation; nothing is charged.
 * @returns `cancelled`, or the status of an operation that can no longer be cancelled
 * @throws Failure usage_not_found if the caller's account has no such operation
 */
export async function cancelOperation(
  { sql, now }: Context,
  caller: Caller,
  id: number,
): Promise<string> {
  const [row] = await sql<{ answer: { outcome: string } | Refusal }[]>`
    select cancel_operation(${caller.key_hash}, ${id}, ${now?.() ?? null}) as answer
  `;
  return accepted(row!.answer).outcome;
}

/**
 * Reads the times of an operation.
 * @throws Failure usage_not_found if the caller's account has no such operation
 */
export async function readOperationTimes(
  { sql }: Context,
  caller: Caller,
  id: number,
): Promise<OperationTimes> {
  const [row] = await sql<{ times: OperationTimes | null }[]>`
    select read_operation_times(${caller.key_hash}, ${id}) as times
  `;
  if (row?.times == null) throw new Failure("usage_not_found");
  return row.times;
}
