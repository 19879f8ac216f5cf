import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { withdrawObservation } from "../../../src/ingest/record/withdraw.ts";
import { createLog } from "../../../src/log.ts";
import { VectorFollower } from "../../../src/search/embeddings/vector_follower.ts";
import { VectorIndex } from "../../../src/search/vectors/vector_index.ts";
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

oneEngineTest("refresh() continues where it has failed", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await recordSome(sql, 600);
  await drain(embedderOf(sql, host.endpoint()));
  let rows = 0;
  const failing = (async (...query: Parameters<Sql>) => {
    if (rows === 500) {
      rows++;
      throw new Error("the connection is gone");
    }
    const answer = await sql(...query);
    if (query[0].join("").includes("vector, scale")) rows += answer.length;
    return answer;
  }) as unknown as Sql;
  const follower = vectorFollowerOf(failing);
  await assert.rejects(follower.refresh(), /the connection is gone/);
  assert.equal(follower.served, undefined);
  assert.deepEqual(await loaded(follower), { name: "m-1", size: 600 });
  assert.equal(rows, 500 + 1 + 100);
});

oneEngineTest("refresh() omits vectors when memory is full, and logs it once", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await recordSome(sql, 3);
  const embedder = embedderOf(sql, host.endpoint());
  await drain(embedder);
  const lines: string[] = [];
  const log = createLog("debug", (line) => void lines.push(JSON.parse(line).message));
  const follower = new VectorFollower({ sql, log, endpoint: { model: "m-1" } });
  const { put } = VectorIndex.prototype;
  try {
    VectorIndex.prototype.put = function (...vector) {
      if (this.size === 1) throw new RangeError("full");
      put.apply(this, vector);
    };
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 1 });
    await recordSome(sql, 1);
    await drain(embedder);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 1 });
  } finally {
    VectorIndex.prototype.put = put;
  }
  assert.deepEqual(lines, ["no memory for more embeddings", "embeddings loaded"]);
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
