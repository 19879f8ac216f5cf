/** Answers of the functions under sql/functions, as they write them. */
import { Failure, type FailureCode, type FailureDetails, isFailureCode } from "../failures.ts";
import type { AllowanceState, DeliveryEntry } from "./action.ts";
import type { ObservationRow, ShownLists } from "./shown_observations.ts";

export type { ObservationRow } from "./shown_observations.ts";

/** An operation as it stands, with the rows of what it delivered that may be shown now. */
export interface Answer<Inputs = unknown> {
  outcome: "found" | "settled" | "accepted";
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
  result: StoredResult | null;
  allowance: AllowanceState;
  observations: ObservationRow[] | null;
  /** Companies of the delivery by the hostnames that they hold now, if the action shows hostnames. */
  holders: Record<string, number[]> | null;
}

/** An answer as a statement gives it: what may be shown is still lists. */
export interface StoredAnswer<Inputs = unknown> extends Omit<Answer<Inputs>, "observations"> {
  shown: ShownLists | null;
}

/** Puts the rows of what may be shown in place of the lists. */
export function answerOf<Inputs>(
  { shown, ...answer }: StoredAnswer<Inputs>,
  rows: ObservationRow[],
): Answer<Inputs> {
  return { ...answer, observations: shown && rows };
}

/** Stored result of a delivery: ids, and the facts that its action adds to them. */
interface StoredResult {
  entries: DeliveryEntry[];
  as_of: string;
  [fact: string]: unknown;
}

/** A refusal by a SQL function: nothing was stored, nothing reserved. */
export interface Refusal {
  outcome: "refused";
  code: string;
  retry_at?: string;
  retry_after_seconds?: number;
  allowance?: AllowanceState;
  /** Page size of the subscription's plan, for a limit that exceeds it. */
  page_limit?: number;
}

/** A failure whose answer still says, in its headers, what every metered answer says. */
export class MeteredFailure extends Failure {
  constructor(
    code: FailureCode,
    details: FailureDetails,
    readonly facts: { allowance?: AllowanceState; replayed: boolean },
  ) {
    super(code, details);
  }
}

/** Passes an answer on, throws a refusal as the Failure of its code. */
export function accepted<T extends { outcome: string }>(answer: T | Refusal): T {
  if (!isRefusal(answer)) return answer;
  const { code, retry_at, retry_after_seconds, allowance, page_limit } = answer;
  if (!isFailureCode(code)) throw new Error(`the database refused with an unknown code: ${code}`);
  throw new MeteredFailure(code, {
    message: page_limit === undefined
      ? undefined
      : `limit: an integer of 1 to ${page_limit}, the page size of the subscription's plan.`,
    retry_at,
    retry_after_seconds,
    request_allowance: allowance && requestAllowance(allowance),
  }, { allowance, replayed: false });
}

function isRefusal(answer: { outcome: string }): answer is Refusal {
  return answer.outcome === "refused";
}

/**
 * The rows of each entry that may be shown now, entries without any left out. A row counts for the
 * company it was delivered for: an observation revised to be another company's is withheld.
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

/** Returns how many of the delivered units may not be shown any more. */
export function withheldUnits({ operation }: Pick<Answer, "operation">, shown: number): number {
  return operation.delivered_units - shown;
}

/** The three members of the wire. */
export function requestAllowance(state: AllowanceState) {
  return {
    window_seconds: state.window_seconds,
    window_remaining: state.window_remaining,
    weekly_remaining: state.weekly_remaining,
  };
}
