/**
 * Prepares the dataset of the load: records, subscriptions with keys, and searches with their
 * candidates.
 */
import { createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import type { Database, Sql } from "../../src/db/connect.ts";
import { recordDemo } from "../../src/demo/demo.ts";
import { createLog } from "../../src/log.ts";
import type { Work } from "../../src/operations/action.ts";
import { createCaller, type TestCaller } from "../../test/support/factories.ts";
import { requestOf } from "../../test/support/inputs.ts";
import { hasRealData, ingestRealRecords } from "../../test/support/real_records.ts";

/** Number of subscriptions. Requests of one subscription wait for each other. */
export const SUBSCRIPTIONS = 64;

/** Terms of a plan that no load exhausts. */
const AMPLE = {
  window_seconds: 604_800,
  request_units: 10_000_000,
  weekly_request_units: 10_000_000,
  delivered_units: 100_000_000,
  weekly_delivered_units: 100_000_000,
};

/** Queries over the real records, and over the demo dataset. */
const QUERIES = {
  real: [
    "software company series a round",
    "biotech funding in Massachusetts",
    "advertising startup in New York",
    "construction services tender",
    "road maintenance Toronto",
    "appointment of a chief financial officer",
    "remote software engineers",
    "clean energy venture round",
  ],
  demo: [
    "cold storage warehouse",
    "who is hiring software engineers",
    "new plant in Ontario",
    "procurement of medical equipment",
    "entrepôt frigorifique",
    "funding for clean energy",
    "partnership in logistics",
    "a new chief financial officer",
  ],
};

/** A search with the candidates that perform() returned. */
interface PreparedSearch {
  query: string;
  inputs: object;
  work: Work;
}

/** Contents of a filled database. */
export interface LoadData {
  callers: TestCaller[];
  searches: PreparedSearch[];
  /** Number of deliverable observations. */
  observations: number;
  /** Origin of the records. */
  records: "real" | "demo";
}

/** Fills a migrated database. */
export async function prepareData(
  db: Database,
  records: "real" | "demo" = hasRealData() ? "real" : "demo",
): Promise<LoadData> {
  const { sql } = db;
  if (records === "real") await ingestRealRecords(db);
  else await recordDemo(db, new Date());
  const callers: TestCaller[] = [];
  while (callers.length < SUBSCRIPTIONS) callers.push(await createCaller(sql, { terms: AMPLE }));
  if (db.kind === "server") await sql`vacuum analyze`;
  const [{ observations }] = await sql<[{ observations: number }]>`
    select count(*) as observations from deliverable_observations
  `;
  return { callers, searches: await prepareSearches(db, records), observations, records };
}

async function prepareSearches(
  db: Database,
  records: keyof typeof QUERIES,
): Promise<PreparedSearch[]> {
  const log = createLog("error");
  const app = createApp({ db, log, settings: readSettings({ WORKERS: "0" }) });
  await app.start();
  try {
    const action = app.actions.metered.get("search_companies")!;
    const searches: PreparedSearch[] = [];
    for (const query of QUERIES[records]) {
      const { inputs } = requestOf(action, { query, limit: 10 });
      const work = await action.perform(app.context, inputs, { operation_id: 0, frozen: null });
      // Only searches that fill a page are timed.
      if (work.entries.length > 10) searches.push({ query, inputs, work });
    }
    if (searches.length < 4) throw new Error("too few searches fill a page");
    return searches;
  } finally {
    await app.close();
  }
}

/** Stores the searches and the callers in tables, so that SQL alone can repeat the searches. */
export async function storeSearches(sql: Sql, data: LoadData): Promise<void> {
  await sql.unsafe(`
    drop schema if exists load cascade;
    create schema load;
    create table load.searches (n integer primary key, inputs jsonb, facts jsonb, company_ids bigint[], places integer[],
      observation_ids bigint[], known text[], page jsonb,
      moment text default dataset_moment()
    );
    alter table load.searches
      alter company_ids set storage external,
      alter places set storage external,
      alter observation_ids set storage external,
      alter known set storage external,
      set (toast_tuple_target = 8160);
    create table load.callers (n integer primary key, hash bytea not null);
  `);
  for (const [n, { inputs, work }] of data.searches.entries()) {
    const ids = work.entries.flatMap(({ observation_ids }) => observation_ids);
    const places = work.entries.flatMap(({ observation_ids }, place) =>
      observation_ids.map(() => place + 1)
    );
    await sql`
      insert into load.searches values (
        ${n},
        ${sql.json(inputs as never)},
        ${sql.json(work.facts as never)},
        ${work.entries.map(({ company_id }) => company_id)},
        ${places},
        ${ids},
        (
          select array_agg(observation_revision(o.change_seq, o.last_seen_at) order by u.place)
          from unnest(${ids}::bigint[]) with ordinality u (id, place)
          join observations o using (id)
        ),
        ${sql.json(work.entries.slice(0, 10) as never)}
      )
    `;
  }
  for (const [n, { caller }] of data.callers.entries()) {
    await sql`insert into load.callers values (${n}, ${caller.key_hash})`;
  }
  await sql.unsafe("analyze load.searches; analyze load.callers");
}
