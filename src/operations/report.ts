/**
 * Reports usage to a caller and charges to an operator, and checks the counters against the ledger.
 * Defines the action `diagnostic`, which charges without a search.
 */
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
      select subscription_json(c) as subscription, limits_json(c) as limits
      from operations o
      join subscriptions s on s.id = o.subscription_id,
        caller_of_subscription(s, coalesce(${now?.() ?? null}::timestamptz, now())) c
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
export async function verifyUsage(sql: Sql) {
  const [row] = await sql<
    [{ operations: number; settlements: number; differences: Difference[] }]
  >`
    select
      (select count(*) from operations) as operations,
      (select count(*) from ledger) as settlements,
      (select coalesce(json_agg(d), '[]') from verify_usage() d) as differences
  `;
  return row;
}

/** Period of the settlements that a report covers. */
export interface UsagePeriod {
  /** Id of one account. Absent: all accounts. */
  account_id?: number;
  /** First day in UTC, such as `2026-11-01`. Absent: since the beginning. */
  from?: string;
  /** Last day in UTC. Absent: until now. */
  to?: string;
}

/** Dimension by which the sums of a report are divided, in addition to the account. */
export type Division = "day" | "action";

/** Sums of one account, or of one of its days or actions. */
export interface UsageRow {
  account_id: number;
  account: string;
  /** Day in UTC; present if the report is by day. */
  day?: string;
  /** Present if the report is by action. */
  action?: string;
  operations: number;
  request_units: number;
  delivered_units: number;
  fresh_evidence_units: number;
}

/** Sums the ledger over a period, by account and optionally by day or action. */
export async function sumUsage(sql: Sql, period: UsagePeriod, by?: Division): Promise<UsageRow[]> {
  const day = sql`to_char(l.settled_at at time zone 'UTC', 'YYYY-MM-DD')`;
  const divided = by === "day" ? sql`${day} as day,` : by === "action" ? sql`o.action,` : sql``;
  const more = by === "day" ? sql`, ${day}` : by === "action" ? sql`, o.action` : sql``;
  return await sql<UsageRow[]>`
    select
      a.id as account_id,
      a.name as account,
      ${divided}
      count(*) as operations,
      sum(l.request_units)::bigint as request_units,
      sum(l.delivered_units)::bigint as delivered_units,
      sum(l.fresh_evidence_units)::bigint as fresh_evidence_units
    ${settlements(sql, period)}
    group by a.id ${more}
    order by a.id ${more}
  `;
}

/** One settlement with the fields of an invoice. */
export interface LedgerRow {
  settlement_id: number;
  settled_at: string;
  account_id: number;
  account: string;
  operation_id: number;
  action: string;
  request_units: number;
  delivered_units: number;
  fresh_evidence_units: number;
}

/** Number of settlements per page. The number is chosen. */
const PAGE_ROWS = 5_000;

/** Yields every settlement of a period in pages, in the order of their ids. */
export async function* listLedger(sql: Sql, period: UsagePeriod): AsyncGenerator<LedgerRow[]> {
  let after = 0;
  for (;;) {
    const rows = await sql<LedgerRow[]>`
      select
        l.id as settlement_id,
        instant(l.settled_at) as settled_at,
        a.id as account_id,
        a.name as account,
        l.operation_id,
        o.action,
        l.request_units,
        l.delivered_units,
        l.fresh_evidence_units
      ${settlements(sql, period)}
        and l.id > ${after}
      order by l.id
      limit ${PAGE_ROWS}
    `;
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)!.settlement_id;
  }
}

function settlements(sql: Sql, { account_id, from, to }: UsagePeriod) {
  return sql`
    from ledger l
    join operations o on o.id = l.operation_id
    join accounts a on a.id = o.account_id
    where (${account_id ?? null}::bigint is null or a.id = ${account_id ?? null})
      and l.settled_at >= coalesce(${from ?? null}::date::timestamptz, '-infinity')
      and l.settled_at < coalesce((${to ?? null}::date + 1)::timestamptz, 'infinity')
  `;
}
