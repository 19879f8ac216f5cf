/**
 * Answers of the functions under sql/functions/metering, the replies that are made of them (step 6 of
 * ARCHITECTURE.md), and stored operations, which are read and cancelled.
 */
import type { NestedObservation } from "../contract/observation.ts";
import type { Operation } from "../contract/operation.ts";
import { Failure, type FailureCode, type FailureDetails, isFailureCode } from "../failures.ts";
import type {
  AllowanceState,
  Caller,
  Context,
  DeliveryEntry,
  MeteredAction,
  OperationTimes,
  Reply,
} from "./action.ts";

/** State of an operation at present, with the observations of its delivery that may be shown now. */
export interface Answer<Inputs = unknown> {
  /**
   * - `found`: an earlier request has started the operation.
   * - `accepted`: this request has queued it.
   * - `settled`: this process has delivered or failed it.
   * - `overtaken`: this process has lost its lease. The operation has ended, or a worker performs
   *   it.
   */
  outcome: "found" | "accepted" | "settled" | "overtaken";
  operation: {
    id: number;
    status: "pending" | "processing" | "delivered" | "failed" | "expired";
    request_key: string;
    request_units: number;
    delivered_units: number;
    fresh_evidence_units: number;
  };
  action: string;
  inputs: Inputs;
  failure_code: string | null;
  next_cursor: string | null;
  /** Position in the shortlist at which this page starts. */
  start_position: number;
  times: OperationTimes;
  result: StoredResult | null;
  allowance: AllowanceState;
  observations: ObservationRow[] | null;
  /** Companies of the delivery by their present hostnames, if the request named hostnames. */
  holders: Record<string, number[]> | null;
}

/**
 * Answer of settle_operation and fail_operation. Only a caller with a valid key gets a whole
 * answer: background work has no caller, and a key may be revoked during the work.
 */
export type Ending<Inputs = unknown> =
  | Answer<Inputs>
  | Pick<Answer, "outcome" | "operation" | "failure_code">;

/** Returns whether an answer is whole. */
export function isWhole<Inputs>(answer: Ending<Inputs>): answer is Answer<Inputs> {
  return "allowance" in answer;
}

/**
 * An observation that may be shown, as shown_observations() returns it. Instants are in ISO 8601
 * with the offset of the session.
 */
export interface ObservationRow extends Omit<NestedObservation, "categories"> {
  company_id: number;
  company_name: string;
  source_id: number;
  last_seen_at: string | null;
  categories: NonNullable<NestedObservation["categories"]>;
  /**
   * Hostnames that the observation supports; null if they were not requested, or if there is none.
   */
  domains: { id: number; hostname: string }[] | null;
}

/** Stored result of a delivery: ids, and the facts that its action adds to them. */
export interface StoredResult {
  entries: DeliveryEntry[];
  as_of: string;
  [fact: string]: unknown;
}

/** A refusal by a SQL function. Nothing was stored or reserved. */
export interface Refusal {
  outcome: "refused";
  code: string;
  retry_at?: string;
  retry_after_seconds?: number;
  allowance?: AllowanceState;
  /** Units that are left until `retry_at`, if an allowance is too small. */
  units_left?: number;
  /** Max number of these units that the request can cost. */
  units_needed?: number;
  /** Number of these units in a whole window or week of the plan, whichever has fewer. */
  units_limit?: number;
  /** Page size of the subscription's plan, if the limit exceeds it. */
  page_limit?: number;
}

/** A failure whose answer has the headers of a metered answer, as far as their facts are known. */
export class MeteredFailure extends Failure {
  constructor(
    code: FailureCode,
    details: FailureDetails,
    readonly facts: Pick<Reply, "allowance" | "replayed" | "times">,
  ) {
    super(code, details);
  }
}

/** Returns an answer, or throws a refusal as the Failure of its code. */
export function accepted<T extends { outcome: string }>(answer: T | Refusal): T {
  if (!isRefusal(answer)) return answer;
  const { code, retry_at, retry_after_seconds, allowance } = answer;
  if (!isFailureCode(code)) throw new Error(`the database refused with an unknown code: ${code}`);
  throw new MeteredFailure(code, {
    message: messageOf(answer),
    retry_at,
    retry_after_seconds,
    request_allowance: allowance && requestAllowance(allowance),
  }, { allowance, replayed: false });
}

/** Returns a message with the numbers of a refusal; undefined if it has none. */
function messageOf({ code, page_limit, units_left, units_needed, units_limit, retry_at }: Refusal) {
  if (page_limit !== undefined) {
    return `limit: an integer of 1 to ${page_limit}, the page size of the subscription's plan.`;
  }
  if (units_left === undefined) return undefined;
  if (units_needed! > units_limit!) {
    return `This request can cost ${units_needed} units, and the plan allows at most ` +
      `${units_limit} per window or week. Request less.`;
  }
  const [unit, advice] = code === "delivery_limit_reached"
    ? ["delivered", "Request less, or try again then."]
    : ["request", "Try again then."];
  return `${units_left} ${unit} units are left until ${retry_at}, and this request can cost ` +
    `${units_needed}. ${advice}`;
}

function isRefusal(answer: { outcome: string }): answer is Refusal {
  return answer.outcome === "refused";
}

/**
 * Returns the rows of each entry that may be shown now, without entries that have none. A row
 * counts only for the company for which it was delivered. An observation that was reassigned to
 * another company is withheld.
 */
export function shownEntries(
  { result, observations }: Pick<Answer, "result" | "observations">,
): ObservationRow[][] {
  const rows = new Map(observations!.map((row) => [row.id, row]));
  return result!.entries
    .map(({ company_id, observation_ids }) =>
      observation_ids.flatMap((id) => {
        const row = rows.get(id);
        return row?.company_id === company_id ? [row] : [];
      })
    )
    .filter((shown) => shown.length > 0);
}

/** Returns the three members of the API's request_allowance. */
function requestAllowance(state: AllowanceState) {
  return {
    window_seconds: state.window_seconds,
    window_remaining: state.window_remaining,
    weekly_remaining: state.weekly_remaining,
  };
}

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
  const { operation, allowance, times } = answer;
  const members = { usage: usageOf(operation), request_allowance: requestAllowance(allowance) };
  const facts = { allowance, times, replayed: answer.outcome === "found" };
  switch (operation.status) {
    case "pending":
    case "processing":
      return { status: 202, body: members, ...facts };
    case "delivered":
      return { status: 200, body: { ...members, ...action.present(answer) }, ...facts };
    case "failed":
    case "expired": {
      // A failed operation keeps its code when it is older than the retention of results.
      const code = answer.failure_code ?? "usage_expired";
      if (!isFailureCode(code)) {
        throw new Error(`an operation failed with an unknown code: ${code}`);
      }
      const details = { ...members, ...times.cancelled && { message: CANCELLED } };
      throw new MeteredFailure(code, details, facts);
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
