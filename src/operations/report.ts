/** Reports the usage of a subscription, and checks the counters against the ledger. */
import { INPUTS } from "../contract/inputs.ts";
import type { DiagnosticResult, UsageReport } from "../contract/operation.ts";
import type { Sql } from "../db/connect.ts";
import type { AllowanceState, Caller, Context, MeteredAction, ReadAction } from "./action.ts";
import { accepted, type Refusal } from "./answer.ts";

/** The action of `GET /api/usage`. All keys of a subscription read the same report. */
export const getUsage: ReadAction<object> = {
  name: "get_usage",
  invalid_input: "invalid_search",
  input: INPUTS.get_usage,
  async read({ sql, now }: Context, caller: Caller) {
    const [row] = await sql<{ answer: StoredReport | Refusal }[]>`
      select read_usage(${caller.key_hash}, ${now?.() ?? null}) as answer
    `;
    const { outcome: _, allowance, ...body } = accepted(row!.answer);
    return { status: 200, body, allowance };
  },
};

/** Answer of read_usage for a key that may read. */
interface StoredReport extends UsageReport {
  outcome: "found";
  allowance: AllowanceState;
}

type ReportedTerms = Pick<UsageReport, "subscription" | "limits">;

/**
 * `diagnostic`: a metered action by which a caller can test all steps of a request for one request
 * unit.
 */
export const diagnostic: MeteredAction = {
  name: "diagnostic",
  // Required by the type. This action delivers no units.
  delivery_unit: "company",
  invalid_input: "invalid_search",
  ready: () => true,
  input: INPUTS.diagnostic,
  pageLimit: () => null,
  plan_limited: false,
  maximumUnits: () => 0,
  /** The report is stored, so that a replay returns the same after the plan has changed. */
  async perform({ sql, now }, _inputs, { operation_id }) {
    const [terms] = await sql<[ReportedTerms]>`
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
    const { subscription, limits } = result as typeof result & ReportedTerms;
    return { subscription, limits };
  },
};

/** A value of a counter or an operation that differs from the ledger. */
interface Difference {
  subscription_id: number;
  operation_id: number | null;
  what: string;
  expected: number;
  actual: number;
}

/**
 * Compares the ledger with all values that are derived from it. Reads one snapshot, so that it can
 * run while requests are served.
 */
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
