/** State of the database and the usage reports after a run, which the checker judges. */
import type { UsageReport } from "../../src/contract/operation.ts";
import type { Sql } from "../../src/db/connect.ts";
import { verifyUsage } from "../../src/operations/report.ts";
import type { History } from "./history.ts";

export interface OperationRow {
  id: number;
  account_id: number;
  subscription_id: number;
  request_key: string;
  status: "pending" | "processing" | "delivered" | "failed" | "expired";
  failure_code: string | null;
  delivered_units: number;
  /** Number of units in the stored result; null if there is no result. */
  stored_units: number | null;
}

export interface SettlementRow {
  operation_id: number;
  subscription_id: number;
  request_units: number;
  delivered_units: number;
  window_start: number;
}

export interface CounterRow {
  account_id: number;
  subscription_id: number;
  window_start: number;
  window_request_units: number;
  window_delivered_units: number;
  week_request_units: number;
  week_delivered_units: number;
  reserved_request_units: number;
  reserved_delivered_units: number;
  /** Request units that the plan allows per window. */
  limit_request_units: number;
  limit_week_request_units: number;
  limit_week_delivered_units: number;
  limit_delivered_units: number;
}

export interface LedgerState {
  operations: readonly OperationRow[];
  settlements: readonly SettlementRow[];
  counters: readonly CounterRow[];
  /** Answers of `GET /api/usage`, from any replica. */
  reports: readonly { account_id: number; replica: string; report: UsageReport }[];
  /** Differences that `usage verify` reports. */
  differences: readonly unknown[];
  /** Number of messages in the queue of operations. */
  messages: number;
  /** Acknowledged records that are deliverable or hidden on purpose: `source/external_id`. */
  visible: ReadonlySet<string>;
}

/**
 * Reads the state. Accounts must be younger than a week, so that all units belong to the present
 * week.
 */
export async function readLedgerState(
  sql: Sql,
  { history, reports }: { history: History; reports: LedgerState["reports"] },
): Promise<LedgerState> {
  const [queue] = await sql<{ messages: number }[]>`
    select count(*)::integer as messages from pgmq.q_operations
  `;
  return {
    operations: await readOperations(sql),
    settlements: await sql<SettlementRow[]>`
      select operation_id, subscription_id, request_units, delivered_units,
        extract(epoch from window_start)::float8 as window_start
      from ledger
    `,
    counters: await sql<CounterRow[]>`
      select s.account_id, a.subscription_id, extract(epoch from a.window_start)::float8 as window_start,
        a.window_request_units, a.window_delivered_units, a.week_request_units,
        a.week_delivered_units, a.reserved_request_units, a.reserved_delivered_units,
        p.request_units as limit_request_units, p.delivered_units as limit_delivered_units,
        p.weekly_request_units as limit_week_request_units,
        p.weekly_delivered_units as limit_week_delivered_units
      from allowances a
      join subscriptions s on s.id = a.subscription_id
      join plans p on p.name = s.plan
    `,
    reports,
    differences: (await verifyUsage(sql)).differences,
    messages: queue!.messages,
    visible: await readVisible(sql, history),
  };
}

async function readOperations(sql: Sql): Promise<OperationRow[]> {
  return await sql<OperationRow[]>`
    select id, account_id, subscription_id, request_key, status, failure_code, delivered_units,
      case when result is not null then (
        select case when o.action = 'search_observations' then count(*)
          else count(distinct entry -> 'company_id') end::integer
        from jsonb_array_elements(o.result -> 'entries') entry
      ) end as stored_units
    from operations o
  `;
}

/** Returns the acknowledged records that are deliverable, or were withdrawn on purpose. */
async function readVisible(sql: Sql, { acknowledged }: History): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select s.name || '/' || o.external_id as name
    from observations o
    join sources s on s.id = o.source_id
    join companies c on c.id = o.company_id
    left join deliverable_observations d on d.id = o.id
    where o.external_id = any(${[...acknowledged].map((one) => one.slice(one.indexOf("/") + 1))})
      and (d.id is not null or o.withdrawn_at is not null or not s.permitted
        or c.suppressed_at is not null
        -- A withdrawn address stays withdrawn when its record is revised.
        or exists (
          select from evidence e where e.observation_id = o.id and e.withdrawn_at is not null
        ))
  `;
  return new Set(rows.map(({ name }) => name));
}
