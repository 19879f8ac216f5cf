/** What a subscription has used, and whether the counters agree with the ledger. */
import { INPUTS } from "../contract/inputs.ts";
import type { DiagnosticResult, UsageReport } from "../contract/operation.ts";
import type { Sql } from "../db/connect.ts";
import type { AllowanceState, Caller, Context, MeteredAction, ReadAction } from "./action.ts";
import { accepted, type Refusal } from "./answer.ts";

/** `GET /api/usage`: unmetered, shared by all keys of the subscription. */
export const getUsage: ReadAction<object> = {
  name: "get_usage",
  invalid_input: "invalid_search",
  input: INPUTS.get_usage,
  async read(context: Context, caller: Caller) {
    const [row] = await context.sql<{ answer: Report | Refusal }[]>`
      select read_usage(${caller.key_hash}, ${context.now?.() ?? null}) as answer
    `;
    const { subscription, usage, limits, reservations, allowance } = accepted(row!.answer);
    const body: UsageReport = { subscription, usage, limits, reservations };
    return { status: 200, body, allowance };
  },
};

interface Report extends UsageReport {
  outcome: "found";
  allowance: AllowanceState;
}

type Terms = Pick<UsageReport, "subscription" | "limits">;

/** `diagnostic`: metered, so that a caller sees the whole way of a request for one request unit. */
export const diagnostic: MeteredAction = {
  name: "diagnostic",
  // It delivers none.
  delivery_unit: "company",
  invalid_input: "invalid_search",
  ready: () => true,
  input: INPUTS.diagnostic,
  pageLimit: () => null,
  plan_limited: false,
  maximumUnits: () => 0,
  /** Stored, so that a replay says the same after the plan has changed. */
  async perform({ sql, now }, _inputs, { operation_id }) {
    const [terms] = await sql<[Terms]>`
      select r.subscription, r.limits
      from operations o,
        subscription_report(
          o.subscription_id, coalesce(${now?.() ?? null}::timestamptz, now())
        ) r
      where o.id = ${operation_id}
    `;
    return { entries: [], facts: { ...terms } };
  },
  present({ result }): Omit<DiagnosticResult, "usage" | "request_allowance"> {
    const { subscription, limits } = result as typeof result & Terms;
    return { subscription, limits };
  },
};

/** A place where a counter or an operation says other than the ledger. */
export interface Difference {
  subscription_id: number;
  operation_id: number | null;
  what: string;
  expected: number;
  actual: number;
}

/** Everything that is derived from the ledger, against it; one snapshot, also under load. */
export async function verifyUsage(
  sql: Sql,
): Promise<{ operations: number; settlements: number; differences: Difference[] }> {
  const [row] = await sql<
    { operations: number; settlements: number; differences: Difference[] }[]
  >`
    select
      (select count(*) from operations) as operations,
      (select count(*) from ledger) as settlements,
      (select coalesce(json_agg(d), '[]') from verify_usage() d) as differences
  `;
  return row!;
}
