/**
 * Produces every answer from the stored ids and the present evidence (room 6 of ARCHITECTURE.md).
 */
import { isFailureCode } from "../failures.ts";
import type { Operation } from "../contract/operation.ts";
import type { Caller, Context, MeteredAction, Reply } from "./action.ts";
import {
  accepted,
  type Answer,
  answerOf,
  MeteredFailure,
  type Refusal,
  requestAllowance,
  type StoredAnswer,
} from "./answer.ts";
import { readShown } from "./shown_observations.ts";

/**
 * Returns the answer of an operation.
 * @throws MeteredFailure with the operation's usage, if the operation failed or expired
 */
export function replay<Inputs extends object>(
  action: MeteredAction<Inputs>,
  answer: Answer<Inputs>,
): Reply {
  const { operation, allowance } = answer;
  const members = {
    usage: usageOf(operation),
    request_allowance: requestAllowance(allowance),
  };
  const replayed = answer.outcome === "found";
  switch (operation.status) {
    case "pending":
    case "processing":
      return { status: 202, body: members, replayed, allowance };
    case "delivered":
      return {
        status: 200,
        body: { ...members, ...action.present(answer) },
        replayed,
        allowance,
      };
    case "failed":
    case "expired": {
      const code = operation.status === "expired" ? "usage_expired" : answer.failure_code!;
      if (!isFailureCode(code)) {
        throw new Error(`an operation failed with an unknown code: ${code}`);
      }
      throw new MeteredFailure(code, members, { allowance, replayed });
    }
  }
}

/**
 * Returns the usage of an operation. The API has no status for expired operations. Such an
 * operation is shown as delivered if it was charged, otherwise as failed.
 */
function usageOf(operation: Answer["operation"]): Operation {
  if (operation.status !== "expired") return operation as Operation;
  return { ...operation, status: operation.request_units > 0 ? "delivered" : "failed" };
}

/**
 * Reads an operation.
 * @throws Failure usage_not_found if the caller's account has no such operation
 */
export async function readOperation<Inputs>(
  context: Context,
  caller: Caller,
  id: number,
): Promise<Answer<Inputs>> {
  const read = (bodies: boolean) => readStored<Inputs>(context, caller, { id, bodies });
  const { answer, rows } = await readShown(context.texts, read);
  return answerOf(answer, rows);
}

/** Completes the answer of an existing operation with the texts of its observations. */
export async function readFound<Inputs>(
  context: Context,
  caller: Caller,
  stored: StoredAnswer<Inputs>,
): Promise<Answer<Inputs>> {
  const { id } = stored.operation;
  const read = (bodies: boolean) => readStored<Inputs>(context, caller, { id, bodies });
  const { answer, rows } = await readShown(context.texts, read, stored);
  return answerOf({ ...answer, outcome: stored.outcome }, rows);
}

/**
 * Reads an operation in one statement.
 * @param options.id id of the operation
 * @param options.bodies true if the answer must contain the body of every observation
 * @throws Failure usage_not_found if the caller's account has no such operation
 */
export async function readStored<Inputs>(
  { sql, now }: Context,
  caller: Caller,
  { id, bodies }: { id: number; bodies: boolean },
): Promise<StoredAnswer<Inputs>> {
  const [row] = await sql<{ answer: StoredAnswer<Inputs> | Refusal }[]>`
    select read_operation(${caller.key_hash}, ${id}, ${bodies}, ${now?.() ?? null}) as answer
  `;
  return accepted(row!.answer);
}
