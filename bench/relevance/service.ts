/** Asks the service over its public interface, within this process, with the records of a set. */
import { createAccount } from "../../src/accounts/account.ts";
import { createApiKey } from "../../src/accounts/key.ts";
import { type App, createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import { type CompanySearchResult, QUERY_LENGTH_MAX } from "../../src/contract/search.ts";
import type { Database } from "../../src/db/connect.ts";
import { batchSizeOf, recordObservations } from "../../src/ingest/record/pipeline.ts";
import { createLog } from "../../src/log.ts";
import { type DeliveredCompany, PAGE } from "./measures.ts";
import type { JudgedSet } from "./sets.ts";

/** A service with the records of a set. */
export interface Service extends AsyncDisposable {
  app: App;
  key: string;
  /** Returns the first page of `POST /api/companies/search`, which is delivered and charged. */
  answer(query: string): Promise<DeliveredCompany[]>;
  /** Returns the company of a record of the set. */
  companyOf(record: number): number;
}

const PLAN = "bench";

/** Milliseconds between two checks whether all records have vectors. */
const VECTORS_PAUSE = 5_000;

/**
 * Records a set in an empty database, and starts the service over it. An account gets a plan that a
 * bench cannot exhaust. Nothing expires. There is no background work, unless the settings name an
 * embedding endpoint: then all records are embedded first.
 *
 * @param env further settings
 */
export async function openService(
  db: Database,
  { records, questions, now }: JudgedSet,
  env: Record<string, string> = {},
): Promise<Service> {
  const { sql } = db;
  const size = batchSizeOf(db).records;
  for (let start = 0; start < records.length; start += size) {
    await recordObservations(sql, records.slice(start, start + size));
  }
  await sql`update observations set expires_at = null`;
  await sql`analyze`;
  const keyOf = (source: string, external_id: string) => JSON.stringify([source, external_id]);
  const ids = new Map(
    records.map(({ source, external_id }, index) => [keyOf(source, external_id), index + 1]),
  );
  const rows = await sql<{ id: number; company: number; source: string; external_id: string }[]>`
    select o.id, coalesce(c.merged_into, c.id) as company, s.name as source, o.external_id
    from observations o
    join sources s on s.id = o.source_id
    join companies c on c.id = o.company_id
  `;
  const recordOf = new Map<number, number>();
  const companies = new Map<number, number>();
  for (const { id, company, source, external_id } of rows) {
    const record = ids.get(keyOf(source, external_id))!;
    recordOf.set(id, record);
    companies.set(record, company);
  }
  const app = createApp({
    db,
    settings: readSettings({
      WORKERS: env.EMBEDDINGS_URL === undefined ? "0" : "1",
      ACQUISITION_RECORDS: "0",
      ...env,
    }),
    log: createLog("error"),
    now: () => now,
  });
  await app.start();
  const key = await createKey(db);
  const search = async (query: string): Promise<CompanySearchResult> => {
    const response = await app.fetch(
      new Request("http://127.0.0.1/api/companies/search", {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": crypto.randomUUID(),
        },
        body: JSON.stringify({ query: query.slice(0, QUERY_LENGTH_MAX), limit: PAGE }),
      }),
    );
    const body = await response.json();
    if (!response.ok) throw new Error(`${query}: ${JSON.stringify(body)}`);
    return body;
  };
  if (env.EMBEDDINGS_URL !== undefined) {
    while ((await search(questions[0]!.query)).retrieval !== "hybrid") {
      await new Promise((resolve) => setTimeout(resolve, VECTORS_PAUSE));
    }
  }
  return {
    app,
    key,
    async answer(query) {
      return (await search(query)).companies.map(({ id, observations }) => ({
        company_id: id,
        records: observations.map(({ id }) => recordOf.get(id)!),
      }));
    },
    companyOf: (record) => companies.get(record)!,
    [Symbol.asyncDispose]: () => app.close(),
  };
}

async function createKey(db: Database): Promise<string> {
  await db.sql`
    insert into plans values (${PLAN}, 25, 604800, 1000000, 1000000, 1000000, 1000000)
    on conflict do nothing
  `;
  const account = await createAccount(db.sql, { name: PLAN, plan: PLAN, status: "active" });
  // The clock of a bench may show a moment in the past.
  await db.sql`update subscriptions set current_period_start = 'epoch'`;
  return (await createApiKey(db.sql, { ...account, name: PLAN })).key;
}
