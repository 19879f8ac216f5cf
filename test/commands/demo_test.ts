import assert from "node:assert/strict";
import { demoKeyOffer, markFirstStart, prepareDemo } from "../../src/commands/demo.ts";
import { readSettings } from "../../src/config.ts";
import type { Database, Sql } from "../../src/db/connect.ts";
import { recordDemo } from "../../src/demo/demo.ts";
import { verifyUsage } from "../../src/operations/report.ts";
import { createCaller, record } from "../support/factories.ts";
import { runAdmin } from "../support/admin.ts";
import { withApp } from "../support/app.ts";
import { readDemoKey, withDataDir } from "../support/data_dir.ts";
import { embeddedTest, serverTest } from "../support/database.ts";

const settingsOf = (DATA_DIR: string, DEMO = "auto") => readSettings({ DATA_DIR, DEMO });

async function prepare(db: Database, DATA_DIR: string, DEMO?: string): Promise<string[]> {
  const messages: string[] = [];
  const settings = settingsOf(DATA_DIR, DEMO);
  await prepareDemo(db, { settings, say: ({ text }) => messages.push(text!) });
  return messages;
}

async function countObservations(sql: Sql): Promise<number> {
  return (await sql<[{ count: number }]>`select count(*) from observations`)[0].count;
}

embeddedTest("prepareDemo() creates data and a key on the demo plan once", async ({ db, sql }) => {
  await withDataDir(async (DATA_DIR) => {
    // A directory that another command has created gets no demo.
    assert.deepEqual(await prepare(db, DATA_DIR), []);
    assert.equal(await countObservations(sql), 0);
    await markFirstStart(settingsOf(DATA_DIR));
    // This is the state after an interrupted first start.
    await recordDemo(db, new Date());
    const [, line] = await prepare(db, DATA_DIR);
    const key = await readDemoKey(DATA_DIR);
    assert.ok(line!.endsWith(key));
    assert.equal(await countObservations(sql), 1_500);
    await withApp(db, async ({ ask }) => {
      const { body } = await ask("/api/usage", { key });
      assert.equal(body.subscription.plan, "demo");
      assert.equal(body.limits.request_units, 100);
    });
    assert.deepEqual(await prepare(db, DATA_DIR), []);
    assert.deepEqual([...Deno.readDirSync(DATA_DIR)].map(({ name }) => name), ["demo_key"]);
  });
});

embeddedTest("demoKeyOffer() returns the key while there is only demo data", async (t) => {
  await withDataDir(async (DATA_DIR) => {
    const settings = settingsOf(DATA_DIR);
    const offer = demoKeyOffer(t.db, settings)!;
    assert.equal(await offer(), undefined);
    await markFirstStart(settings);
    await prepare(t.db, DATA_DIR);
    const key = await readDemoKey(DATA_DIR);
    assert.equal(await offer(), key);
    // A service that others can reach, or that has other data, does not return the key.
    const near = ["localhost", "127.0.0.2", "::1"];
    const far = ["0.0.0.0", "::", "192.0.2.7", "evidence.example", "localhost.example"];
    const offered = [...near, ...far].filter((HOST) => demoKeyOffer(t.db, { ...settings, HOST }));
    assert.deepEqual(offered, near);
    assert.equal(demoKeyOffer({ ...t.db, kind: "server" }, settings), undefined);
    for (const column of ["revoked_at", "expires_at"]) {
      await t.sql.unsafe(`update api_keys set ${column} = now()`);
      assert.equal(await offer(), undefined, column);
      await t.sql.unsafe(`update api_keys set ${column} = null`);
      assert.equal(await offer(), key);
    }
    const { account_id } = await createCaller(t.sql);
    assert.equal(await offer(), undefined);
    await t.sql`select delete_demo_account(${account_id})`;
    assert.equal(await offer(), key);
    await record(t.sql, [{ source: "acme-feed" }]);
    assert.equal(await offer(), undefined);
    await t.sql`update sources set name = 'demo-press-2' where name = 'acme-feed'`;
    assert.equal(await offer(), undefined);
  });
});

embeddedTest("prepareDemo() does not change a database that contains another source", async (t) => {
  await withDataDir(async (DATA_DIR) => {
    await markFirstStart(settingsOf(DATA_DIR));
    await record(t.sql, [{ source: "acme-feed" }]);
    assert.deepEqual(await prepare(t.db, DATA_DIR), []);
    assert.equal(await countObservations(t.sql), 1);
    // A later start does not create the demo either.
    assert.deepEqual([...Deno.readDirSync(DATA_DIR)], []);
  });
});

embeddedTest("DEMO=off at the first start also applies to later starts", async ({ db, sql }) => {
  await withDataDir(async (DATA_DIR) => {
    await markFirstStart(settingsOf(DATA_DIR, "off"));
    assert.deepEqual([...Deno.readDirSync(DATA_DIR)], []);
    await markFirstStart(settingsOf(DATA_DIR));
    await prepare(db, DATA_DIR, "off");
    await prepare(db, DATA_DIR);
    assert.equal(await countObservations(sql), 0);
  });
});

/** Tables that are empty after the demo is removed from a database without other data. */
const EMPTIED = ("observations evidence observation_domains companies company_external_ids " +
  "company_names company_join_names company_domains domains company_merges sources accounts " +
  "subscriptions allowances api_keys operations shortlists ledger pgmq.q_operations").split(" ");

/** Searches companies as the demo account, directly and in the background. */
async function useDemo(db: Database, key: string): Promise<void> {
  await withApp(db, async ({ search }) => {
    const asked = { query: "new warehouse with cold storage", limit: 2 };
    const direct = await search(asked, { key, request_key: "1" });
    assert.equal(direct.body.companies.length, 2);
    const queued = await search({ ...asked, background: true }, { key, request_key: "2" });
    assert.equal(queued.status, 202);
  });
}

embeddedTest("admin demo remove deletes all data of the demo", async ({ db, sql }) => {
  await withDataDir(async (DATA_DIR) => {
    await markFirstStart(settingsOf(DATA_DIR));
    await prepare(db, DATA_DIR);
    await useDemo(db, await readDemoKey(DATA_DIR));
    await Deno.writeTextFile(`${DATA_DIR}/index.snapshot`, "an index");
    const { text } = await runAdmin(db, ["demo", "remove", "--yes"], {
      settings: settingsOf(DATA_DIR),
    });
    assert.deepEqual(JSON.parse(text), {
      observations: 1_500,
      companies: 300,
      account_id: 1,
      settlements: 1,
    });
    for (const table of EMPTIED) {
      const [{ count }] = await sql.unsafe<[{ count: number }]>(`select count(*) from ${table}`);
      assert.equal(count, 0, table);
    }
    assert.deepEqual([...Deno.readDirSync(DATA_DIR)], []);
    // The next start does not restore the demo.
    await prepare(db, DATA_DIR);
    assert.equal(await countObservations(sql), 0);
  });
});

serverTest("admin demo remove keeps other data, and searches continue", async (t) => {
  const { db, sql } = t;
  await recordDemo(db, new Date());
  const [shared] = await sql<{ company_id: number; hostname: string; name: string }[]>`
    select h.company_id, h.hostname, c.name
    from deliverable_domains h
    join companies c on c.id = h.company_id
    order by 1, 2 limit 1
  `;
  const domains = [shared!.hostname];
  const [joined, other] = await record(sql, [
    { company: { name: shared!.name, domains }, observed_fact: "A cold storage hall." },
    { company: { name: "Elsewhere" }, observed_fact: "A cold storage wing." },
  ]);
  assert.equal(joined!.company_id, shared!.company_id);
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app, ask, search }) => {
    const before = await search({ query: "cold storage" }, { key, request_key: "before" });
    assert.equal(before.body.companies.length, 10);
    const datasetId = async () => (await sql`select dataset_id from dataset_clock`)[0]!.dataset_id;
    const former = await datasetId();
    const { text } = await runAdmin(db, ["demo", "remove", "--yes"]);
    // A saved index with the deleted rows is refused.
    assert.notEqual(await datasetId(), former);
    assert.deepEqual(JSON.parse(text), {
      observations: 1_500,
      companies: 299,
      account_id: null,
      settlements: 0,
    });
    await app.retriever.source.refresh();
    const { body } = await search({ query: "cold storage" }, { key, request_key: "after" });
    assert.deepEqual(
      body.companies.map(({ id }: { id: number }) => id).sort(),
      [joined!.company_id, other!.company_id],
    );
    const path = `/api/companies?domains[]=${shared!.hostname}`;
    const known = await ask(path, { key, request_key: "by hostname" });
    assert.deepEqual(known.body.lookups, [
      { hostname: shared!.hostname, status: "found", company_id: shared!.company_id },
    ]);
  });
  assert.equal(await countObservations(sql), 2);
  assert.deepEqual((await verifyUsage(sql)).differences, []);
  await assert.rejects(sql`delete from ledger`, /append-only/);
});
