import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { withdrawObservation } from "../../../src/ingest/record/withdraw.ts";
import { oneEngineTest } from "../../support/database.ts";
import { startEmbeddingHost } from "../../support/embedding_host.ts";
import { drain, embedderOf, loaded, vectorFollowerOf } from "../../support/embeddings.ts";
import { record, sourceRecord } from "../../support/factories.ts";

async function recordSome(sql: Sql, count: number): Promise<void> {
  await record(sql, Array.from({ length: count }, () => sourceRecord()));
}

oneEngineTest("refresh() loads all vectors again after a restored backup", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await recordSome(sql, 2);
  await drain(embedderOf(sql, host.endpoint()));
  const follower = vectorFollowerOf(sql);
  assert.deepEqual(await loaded(follower), { name: "m-1", size: 2 });
  await sql`update embedding_models set stored_seq = 0`;
  await sql`delete from observation_embeddings`;
  assert.deepEqual(await loaded(follower), { name: "m-1", size: 0 });
});

oneEngineTest(
  "refresh() loads all vectors again after a restored database has changed",
  async ({ sql }) => {
    await using host = startEmbeddingHost();
    await recordSome(sql, 2);
    await drain(embedderOf(sql, host.endpoint()));
    const follower = vectorFollowerOf(sql);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 2 });
    await sql`
      delete from observation_embeddings
      where observation_id = (select max(observation_id) from observation_embeddings)
    `;
    await sql`update embedding_models set stored_seq = stored_seq + 7`;
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 1 });
  },
);

oneEngineTest("refresh() removes the vector of a withdrawn observation", async ({ sql }) => {
  await using host = startEmbeddingHost();
  const [withdrawn] = await record(sql, [sourceRecord(), sourceRecord()]);
  const embedder = embedderOf(sql, host.endpoint());
  await drain(embedder);
  const follower = vectorFollowerOf(sql);
  assert.deepEqual(await loaded(follower), { name: "m-1", size: 2 });
  await withdrawObservation(sql, withdrawn!.observation_id);
  await drain(embedder);
  assert.deepEqual(await loaded(follower), { name: "m-1", size: 1 });
});

oneEngineTest("refresh() serves no vectors until all are loaded", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await recordSome(sql, 600);
  await drain(embedderOf(sql, host.endpoint()));
  let pages = 0;
  const failing = (async (...query: Parameters<Sql>) => {
    const isPage = query[0].join("").includes("vector, scale");
    if (isPage && ++pages === 2) throw new Error("the connection is gone");
    return await sql(...query);
  }) as unknown as Sql;
  const follower = vectorFollowerOf(failing);
  await assert.rejects(follower.refresh(), /the connection is gone/);
  assert.equal(follower.served, undefined);
  assert.deepEqual(await loaded(follower), { name: "m-1", size: 600 });
});

oneEngineTest("refresh() skips vectors of another length", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await recordSome(sql, 3);
  await drain(embedderOf(sql, host.endpoint()));
  await sql`
    update observation_embeddings set vector = '\\x0102'
    where observation_id = (select min(observation_id) from observation_embeddings)
  `;
  assert.deepEqual(await loaded(vectorFollowerOf(sql)), { name: "m-1", size: 2 });
});
