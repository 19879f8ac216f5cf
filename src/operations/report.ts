/** Reports the usage of a subscription, and checks the counters against the ledger. */
import { INPUTS } from "../contract/inputs.ts";
import type { DiagnosticResult, UsageReport } from "../contract/operation.ts";
import { Batch } from "../db/batch.ts";
import type { Sql } from "../db/connect.ts";
import type { AllowanceState, Caller, Context, MeteredAction, ReadAction } from "./action.ts";
import { accepted, type Refusal } from "./answer.ts";

/** Creates the action of `GET /api/usage`. All keys of a subscription read the same report. */
export function getUsage(): ReadAction<object> {
  const reports = new Batch(readReports);
  return {
    name: "get_usage",
    invalid_input: "invalid_search",
    input: INPUTS.get_usage,
    async read(context: Context, caller: Caller) {
      const answer = await reports.call({ context, caller });
      const { outcome: _, counts, ...subscription } = accepted(answer);
      return { status: 200, ...usageOf(subscription, counts) };
    },
  };
}

/** Reads the reports of several callers, all with the database and the clock of the first one. */
async function readReports(
  reads: { context: Context; caller: Caller }[],
): Promise<(StoredReport | Refusal)[]> {
  const { sql, now } = reads[0]!.context;
  const keys = reads.map(({ caller }) => caller.key_hash.toHex());
  const rows = await sql<{ answer: StoredReport | Refusal }[]>`
    select read_usages(${keys}, ${now?.() ?? null}) as answer
  `;
  return rows.map(({ answer }) => answer);
}

/** Answer of read_usages for a key that may read. */
interface StoredReport {
  outcome: "found";
  plan: string;
  status: UsageReport["subscription"]["status"];
  current_period_start: string;
  current_period_end: string;
  counts: UsageCounts;
}

/** Counts of window and week, limits, reservations, and times until the next window and week. */
type UsageCounts = [
  request_units: number,
  weekly_request_units: number,
  delivered_units: number,
  weekly_delivered_units: number,
  fresh_evidence_units: number,
  request_limit: number,
  weekly_request_limit: number,
  delivered_limit: number,
  weekly_delivered_limit: number,
  reserved_requests: number,
  reserved_deliveries: number,
  window_seconds: number,
  window_reserved: number,
  week_reserved: number,
  window_resets_in_seconds: number,
  week_resets_in_seconds: number,
];

function usageOf(
  subscription: UsageReport["subscription"],
  counts: UsageCounts,
): { body: UsageReport; allowance: AllowanceState } {
  const [
    request_units,
    weekly_request_units,
    delivered_units,
    weekly_delivered_units,
    fresh_evidence_units,
    request_limit,
    weekly_request_limit,
    delivered_limit,
    weekly_delivered_limit,
    reserved_requests,
    reserved_deliveries,
    window_seconds,
    window_reserved,
    week_reserved,
    window_resets_in_seconds,
    week_resets_in_seconds,
  ] = counts;
  return {
    body: {
      subscription,
      usage: {
        request_units,
        weekly_request_units,
        delivered_units,
        weekly_delivered_units,
        fresh_evidence_units,
      },
      limits: {
        request_units: request_limit,
        weekly_request_units: weekly_request_limit,
        delivered_units: delivered_limit,
        weekly_delivered_units: weekly_delivered_limit,
      },
      reservations: { request_units: reserved_requests, delivered_units: reserved_deliveries },
    },
    allowance: {
      window_seconds,
      window_limit: request_limit,
      window_remaining: Math.max(0, request_limit - request_units - window_reserved),
      window_resets_in_seconds,
      weekly_limit: weekly_request_limit,
      weekly_remaining: Math.max(0, weekly_request_limit - weekly_request_units - week_reserved),
      week_resets_in_seconds,
    },
  };
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
