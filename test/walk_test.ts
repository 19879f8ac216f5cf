/** Counts the files that one request or record enters, which a reader has to know to follow it. */
import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { createApp } from "../src/app.ts";
import { readSettings } from "../src/config.ts";
import { connect, type Sql } from "../src/db/connect.ts";
import { readSchema } from "../src/db/scripts.ts";
import { serveHttp } from "../src/http/server.ts";
import { batchSizeOf, ingestEntries } from "../src/ingest/record/pipeline.ts";
import { SOURCES } from "../src/ingest/sources/sources.ts";
import { Metrics } from "../src/metrics.ts";
import { csv } from "./support/canadabuys_notices.ts";
import { serverTest } from "./support/database.ts";
import { createCaller, record } from "./support/factories.ts";
import { silent } from "./support/operations.ts";

const SOURCE = new URL("../src/", import.meta.url).href;

/** Runs `use`, and returns the files of `src` of which it has called a function. */
async function enteredFiles(use: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await use();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result
      .filter(({ url, functions }) =>
        url.startsWith(SOURCE) && functions.some(({ ranges }) => ranges[0]!.count > 0)
      )
      .map(({ url }) => url.slice(SOURCE.length)).sort();
  } finally {
    session.disconnect();
  }
}

/** Runs `use`, and returns the scripts of which the database has called a function. */
async function enteredScripts(sql: Sql, use: () => Promise<void>): Promise<string[]> {
  const called = async () => {
    await sql`select pg_stat_force_next_flush()`;
    const rows = await sql<{ name: string; calls: number }[]>`
      select funcname as name, sum(calls)::integer as calls
      from pg_stat_user_functions group by funcname
    `;
    return new Map(rows.map(({ name, calls }) => [name, calls]));
  };
  const before = await called();
  await use();
  const after = await called();
  const names = [...after].filter(([name, calls]) => calls > (before.get(name) ?? 0));
  const { functions, views } = readSchema();
  const scripts = functions
    .filter(({ text }) => names.some(([name]) => text.includes(`function ${name}(`)));
  // The statistics do not count views. All functions that show observations read the one script.
  return [...scripts, ...views].map(({ name }) => name).sort();
}

serverTest("a metered lookup enters at most 30 files", async ({ url, sql: owner }) => {
  const [{ database }] = await owner<[{ database: string }]>`select current_database() as database`;
  await owner.unsafe(`alter database ${database} set track_functions = 'all'`);
  const { key } = await createCaller(owner);
  const [north] = await record(owner, [{ observed_fact: "A freezer warehouse opens." }]);
  const db = await connect({ database_url: url, data_dir: "", log: silent, max_connections: 1 });
  try {
    const metrics = new Metrics();
    // The application is not started, so the index does not follow the database meanwhile.
    const app = createApp({ db, log: silent, settings: readSettings({}), metrics });
    const listening = { hostname: "127.0.0.1", port: 0, log: silent };
    await using server = serveHttp({ ...listening, handler: app.fetch });
    const lookUp = async (request_key: string) => {
      const address = `http://127.0.0.1:${server.addr.port}/api/companies?ids[]=`;
      const response = await fetch(`${address}${north!.company_id}`, {
        headers: { authorization: `Bearer ${key}`, "idempotency-key": request_key },
      });
      const { companies } = await response.json();
      assert.deepEqual([response.status, companies.length], [200, 1]);
    };
    await lookUp("1");
    const files = await enteredFiles(() => lookUp("2"));
    const scripts = await enteredScripts(db.sql, () => lookUp("3"));
    await app.close();
    const entered = [...files, ...scripts];
    assert.ok(entered.length <= 30, `${entered.length} files:\n${entered.join("\n")}`);
  } finally {
    await db.close();
  }
});

serverTest("a CanadaBuys record enters at most 35 files", async ({ url, sql: owner }) => {
  const [{ database }] = await owner<[{ database: string }]>`select current_database() as database`;
  await owner.unsafe(`alter database ${database} set track_functions = 'all'`);
  const db = await connect({ database_url: url, data_dir: "", log: silent, max_connections: 1 });
  try {
    const ingest = async (reference: string) => {
      const description = "The buyer needs a freezer. Contact: jane.doe@example.org";
      const file = new Blob([csv({ reference, description, type: "Request for Proposal" })]);
      const entries = SOURCES.get("canadabuys")!.read(file.stream(), { retrieved_at: new Date() });
      const { recorded } = await ingestEntries(db.sql, entries, {
        batch: batchSizeOf(db),
        reject: ({ reason }) => assert.fail(reason),
      });
      assert.equal(recorded, 1);
    };
    await ingest("cb-1");
    const files = await enteredFiles(() => ingest("cb-2"));
    const scripts = await enteredScripts(db.sql, () => ingest("cb-3"));
    const entered = [...files, ...scripts];
    assert.ok(entered.length <= 35, `${entered.length} files:\n${entered.join("\n")}`);
  } finally {
    await db.close();
  }
});
