/** Reports the charges of accounts: as sums for an operator, or as a list for invoices. */
import type { Sql } from "../db/connect.ts";

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

/** Number of settlements per page. */
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
