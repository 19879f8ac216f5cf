/** Creates callers and records for tests. Members that a test omits have default values. */
import { createAccount, type PlanTerms, setPlan } from "../../src/accounts/account.ts";
import { hashKey } from "../../src/accounts/credential.ts";
import { createApiKey } from "../../src/accounts/key.ts";
import type { Sql } from "../../src/db/connect.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { recordObservations } from "../../src/ingest/record/pipeline.ts";
import type { SourceRecord } from "../../src/contract/record.ts";
import type { Caller } from "../../src/operations/action.ts";

/** Terms of a plan that no test and no bench uses up in its windows. */
export const AMPLE = {
  request_units: 10_000_000,
  weekly_request_units: 10_000_000,
  delivered_units: 100_000_000,
  weekly_delivered_units: 100_000_000,
  reads_per_minute: 1_000_000,
};

/** A caller with an account, a subscription and an API key. */
export interface TestCaller {
  account_id: number;
  subscription_id: number;
  key_id: number;
  key: string;
  caller: Caller;
}

/** Creates an account with a subscription and an API key. `terms` replaces terms of the plan. */
export async function createCaller(
  sql: Sql,
  { plan = "builder", status = "active", terms }: {
    plan?: string;
    status?: string;
    terms?: Partial<PlanTerms>;
  } = {},
): Promise<TestCaller> {
  if (terms) await setPlan(sql, plan, terms);
  const account = await createAccount(sql, { name: "a customer", plan, status });
  const { key, key_id } = await createApiKey(sql, { account_id: account.account_id, name: "test" });
  return { ...account, key_id, key, caller: { key_hash: hashKey(key) } };
}

type RecordPart = Partial<Omit<SourceRecord, "company">> & {
  company?: Partial<SourceRecord["company"]>;
};

let serial = 0;

/** Returns a complete record. By default it is about a new company. */
export function sourceRecord(part: RecordPart = {}): SourceRecord {
  serial++;
  const observed_at = part.observed_at ?? "2026-03-02T09:00:00Z";
  const { company, ...rest } = part;
  return {
    source: "acme-feed",
    external_id: `record-${serial}`,
    company: { name: `Company ${serial}`, ...company },
    kind: "facility_expansion",
    observed_fact: "A second cold storage hall is being built.",
    why_it_may_matter: "New halls need refrigeration and racking.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.8,
    occurred_at: "2026-03-01T00:00:00Z",
    observed_at,
    expires_at: null,
    categories: ["31-33"],
    evidence: [{
      source_uri: `https://news.example/${serial}`,
      excerpt: "The company said that it is building a second hall.",
      occurred_at: rest.occurred_at === undefined ? "2026-03-01T00:00:00Z" : rest.occurred_at,
      observed_at,
    }],
    ...rest,
  };
}

/** Ids of a recorded observation and of its company. */
export interface Recorded {
  company_id: number;
  observation_id: number;
}

/** Records observations, and returns their ids in the order of the parts. */
export async function record(sql: Sql, parts: RecordPart[]): Promise<Recorded[]> {
  const records = parts.map(sourceRecord);
  await recordObservations(
    sql,
    records.map((one) => {
      const judged = normalizeRecord(one);
      if ("reason" in judged) throw new Error(judged.reason);
      return judged.record;
    }),
  );
  const rows = await sql<(Recorded & { name: string; external_id: string })[]>`
    select o.id as observation_id, o.company_id, s.name, o.external_id
    from observations o
    join sources s on s.id = o.source_id
    where o.external_id = any(${records.map((one) => one.external_id)})
  `;
  return records.map(({ source, external_id }) => {
    const row = rows.find((r) => r.name === source && r.external_id === external_id);
    if (row === undefined) throw new Error(`not recorded: ${external_id}`);
    return { company_id: row.company_id, observation_id: row.observation_id };
  });
}
