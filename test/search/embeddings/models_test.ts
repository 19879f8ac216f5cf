import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { oneEngineTest } from "../../support/database.ts";
import { FORMAT } from "../../../src/search/vectors/quantized.ts";
import { embeddingsOf, startEmbeddingHost } from "../../support/embedding_host.ts";
import {
  drain,
  embedderOf,
  loaded,
  NEVER_ABORTED,
  vectorFollowerOf,
  vectorsOf,
} from "../../support/embeddings.ts";
import { record, sourceRecord } from "../../support/factories.ts";

/**
 * Sets the time at which a worker last used a model back by 61 minutes. Workers of another model
 * retire a model that no worker has used for an hour.
 */
async function forget(sql: Sql, name: string): Promise<void> {
  await sql`
    update embedding_models set asked_at = asked_at - interval '61 minutes' where name = ${name}
  `;
}

oneEngineTest(
  "a new model replaces the old one only when all its vectors are stored",
  async ({ sql }) => {
    await using host = startEmbeddingHost();
    const recorded = await record(sql, Array.from({ length: 300 }, () => sourceRecord()));
    const ids = recorded.map(({ observation_id }) => observation_id);
    await drain(embedderOf(sql, host.endpoint("m-1")));
    const follower = vectorFollowerOf(sql, "model-2");
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 300 });

    await forget(sql, "m-1");
    const second = embedderOf(sql, host.endpoint("model-2"));
    assert.equal(await second.step(NEVER_ABORTED), true);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 300 });
    assert.deepEqual(await loaded(vectorFollowerOf(sql, "model-2")), { name: "m-1", size: 300 });
    // The step that stores the last page also deletes the vectors of the retired model.
    assert.equal(await second.step(NEVER_ABORTED), true);
    assert.deepEqual(await loaded(follower), { name: "model-2", size: 300 });
    assert.deepEqual(await vectorsOf(sql), [{ name: "model-2", ids }]);
  },
);

oneEngineTest("workers with different settings keep both models", async ({ sql }) => {
  await using host = startEmbeddingHost();
  const recorded = await record(sql, [sourceRecord(), sourceRecord()]);
  const ids = recorded.map(({ observation_id }) => observation_id);
  const names = ["m-1", "model-2"];
  const embedders = names.map((name) => embedderOf(sql, host.endpoint(name)));
  for (let round = 0; round < 5; round++) {
    for (const embedder of embedders) await embedder.step(NEVER_ABORTED);
    await sql`update embedding_models set asked_at = asked_at - interval '31 minutes'`;
  }
  assert.equal(host.requests.length, 2);
  assert.deepEqual(await vectorsOf(sql), names.map((name) => ({ name, ids })));
  for (const name of names) {
    assert.deepEqual(await loaded(vectorFollowerOf(sql, name)), { name, size: 2 });
  }
  // Until another model is complete, the one that was completed last serves.
  await sql`update embedding_models set ready_at = now() where name = 'm-1'`;
  assert.deepEqual(await loaded(vectorFollowerOf(sql, "model-3")), { name: "m-1", size: 2 });
});

oneEngineTest(
  "a former model serves again after only its missing vectors are computed",
  async ({ sql }) => {
    await using host = startEmbeddingHost();
    const records = Array.from({ length: 4 }, () => sourceRecord());
    const recorded = await record(sql, records);
    const ids = recorded.map(({ observation_id }) => observation_id);
    await drain(embedderOf(sql, host.endpoint("m-1")));
    const second = embedderOf(sql, host.endpoint("model-2"));
    await second.step(NEVER_ABORTED);
    await forget(sql, "m-1");
    // The call deletes a batch of one vector, so the other three are kept.
    await sql`select retire_embeddings('model-2', ${FORMAT}, 1)`;
    await sql`update embedding_models set asked_at = now()`;
    await record(sql, [{ ...records[3]!, observed_fact: "A derrick is wanted." }]);
    await second.step(NEVER_ABORTED);
    const [former] = await vectorsOf(sql);
    assert.equal(former!.ids.length, 3);

    const follower = vectorFollowerOf(sql, "m-1");
    assert.deepEqual(await loaded(follower), { name: "model-2", size: 4 });
    host.requests.length = 0;
    await drain(embedderOf(sql, host.endpoint("m-1")));
    const missing = ids.filter((id) => !former!.ids.includes(id) || id === ids[3]);
    assert.deepEqual(host.requests.map(({ input }) => input.length), [missing.length]);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 4 });
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }, { name: "model-2", ids }]);
  },
);

oneEngineTest("a model never serves if all its vectors are zero", async ({ sql }) => {
  await using host = startEmbeddingHost(({ input, model }) =>
    model === "m-1" ? embeddingsOf(input) : Response.json({
      data: input.map((_, index) => ({ index, embedding: [0, 0, 0] })),
    })
  );
  const recorded = await record(sql, [sourceRecord(), sourceRecord()]);
  const ids = recorded.map(({ observation_id }) => observation_id);
  await drain(embedderOf(sql, host.endpoint("m-1")));
  await forget(sql, "m-1");
  const embedder = embedderOf(sql, host.endpoint("model-2"));
  await drain(embedder);
  await drain(embedder);
  assert.deepEqual(host.requests.map(({ model }) => model), ["m-1", "model-2"]);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }, { name: "model-2", ids: null }]);
  assert.deepEqual(await loaded(vectorFollowerOf(sql, "model-2")), { name: "m-1", size: 2 });
});
