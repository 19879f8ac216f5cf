/**
 * Produces every answer from the stored ids and the present evidence (room 6 of ARCHITECTURE.md).
 */
import type { Operation } from "../contract/operation.ts";
import { isFailureCode } from "../failures.ts";
import type { Caller, Context, MeteredAction, Reply } from "./action.ts";
import { accepted, type Answer, MeteredFailure, type Refusal, requestAllowance } from "./answer.ts";

/** Message about an operation that its caller has cancelled. */
const CANCELLED =
  "The operation was cancelled before it began, and nothing was charged. Use a new " +
  "key to run the request again.";

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
      const details = {
        ...members,
        ...answer.result?.cancelled === true && { message: CANCELLED },
      };
      throw new MeteredFailure(code, details, { allowance, replayed });
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
 * Reads an operation in one statement.
 * @throws Failure usage_not_found if the caller's account has no such operation
 */
export async function readOperation<Inputs>(
  { sql, now }: Context,
  caller: Caller,
  id: number,
): Promise<Answer<Inputs>> {
  const [row] = await sql<{ answer: Answer<Inputs> | Refusal }[]>`
    select read_operation(${caller.key_hash}, ${id}, ${now?.() ?? null}) as answer
  `;
  return accepted(row!.answer);
}
