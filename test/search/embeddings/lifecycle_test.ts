import assert from "node:assert/strict";
import { type Sql } from "../../../src/db/connect.ts";
import { Embeddings } from "../../../src/search/embeddings/embeddings.ts";
import { withApp } from "../../support/app.ts";
import { oneEngineTest } from "../../support/database.ts";
import { startEmbeddingHost, startHoldingHost } from "../../support/embedding_host.ts";
import {
  drain,
  embedderOf,
  loaded,
  NEVER_ABORTED,
  vectorFollowerOf,
  vectorsOf,
} from "../../support/embeddings.ts";
import { failInserts } from "../../support/failing_inserts.ts";
import { record, sourceRecord } from "../../support/factories.ts";
import { silent } from "../../support/operations.ts";

oneEngineTest("a process without workers embeds nothing", async ({ db, sql }) => {
  await using host = startEmbeddingHost();
  await record(sql, [{}]);
  const env = { EMBEDDINGS_URL: `${host.url}/v1`, EMBEDDINGS_MODEL: "m-1" };
  const names = async () => (await sql`select name from embedding_models`).map(({ name }) => name);
  await withApp(db, async () => {}, { workers: 0, env });
  assert.deepEqual(await names(), []);
  // A process with workers registers its model before it can stop.
  await withApp(db, async () => {}, { workers: 1, env });
  assert.deepEqual(await names(), ["m-1"]);
});

oneEngineTest("close() releases the lease, and leaves nothing running", async ({ sql }) => {
  await using host = startHoldingHost();
  await record(sql, [{}]);
  const endpoint = host.endpoint();
  const embeddings = new Embeddings({ sql, log: silent, endpoint, works: true });
  embeddings.start();
  await host.holding;
  const isLeased = async () =>
    (await sql`select lease_token is not null as held from embedding_models`)[0]!.held;
  assert.equal(await isLeased(), true);
  await embeddings.close();
  assert.equal(await isLeased(), false);

  host.answer();
  await drain(embedderOf(sql, endpoint));
  assert.equal(host.requests.length, 2);
  host.release();
});

oneEngineTest("step() backs off if the database stores nothing", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await record(sql, [{}]);
  let fails = true;
  const failing = Object.assign(
    ((...query: Parameters<Sql>) => {
      const stores = query[0].join("").includes("store_embeddings");
      return fails && stores ? Promise.reject(new Error("the disk is full")) : sql(...query);
    }) as unknown as Sql,
    { json: sql.json },
  );
  let now = 0;
  const embedder = embedderOf(failing, host.endpoint(), { now: () => now });
  await assert.rejects(embedder.step(NEVER_ABORTED), /the disk is full/);
  now = 999;
  assert.equal(await embedder.step(NEVER_ABORTED), false);
  assert.equal(host.requests.length, 1);
  now = 1_000;
  await assert.rejects(embedder.step(NEVER_ABORTED), /the disk is full/);
  assert.equal(host.requests.length, 2);
  fails = false;
  now = 3_000;
  await drain(embedder);
  assert.deepEqual(await loaded(vectorFollowerOf(sql)), { name: "m-1", size: 1 });
});

const MINUTES = 60_000;

oneEngineTest("step() gives up no text after faults of the database", async ({ sql }) => {
  let fails = false;
  await using host = startEmbeddingHost(() =>
    fails ? new Response("", { status: 500 }) : undefined
  );
  const [recorded] = await record(sql, [sourceRecord()]);
  await failInserts(sql, "observation_embeddings");
  const clock = { now: 0 };
  const embedder = embedderOf(sql, host.endpoint(), { now: () => clock.now });
  for (let n = 0; n < 12; n++, clock.now += 6 * MINUTES) {
    await assert.rejects(embedder.step(NEVER_ABORTED), { code: "unavailable" });
  }
  await sql`drop trigger fault on observation_embeddings`;
  fails = true;
  assert.equal(await embedder.step(NEVER_ABORTED), false);
  fails = false;
  clock.now += 6 * MINUTES;
  const before = host.requests.length;
  await drain(embedder);
  // Before the embedder gives up a text, it sends a probe text to the endpoint. It has not done so.
  assert.equal(host.requests.length, before + 1);
  assert.ok(!host.requests[before]!.input.includes("A company builds a second hall."));
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [recorded!.observation_id] }]);
});
