import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { setSource, withdrawObservation } from "../../../src/ingest/record/withdraw.ts";
import { contentKey } from "../../../src/search/embeddings/embedder.ts";
import { embeddingRow } from "../../../src/search/vectors/quantized.ts";
import { oneEngineTest } from "../../support/database.ts";
import {
  embeddingsOf,
  startEmbeddingHost,
  startHoldingHost,
} from "../../support/embedding_host.ts";
import { record, sourceRecord } from "../../support/factories.ts";
import {
  drain,
  embedderOf,
  loaded,
  NEVER_ABORTED,
  vectorFollowerOf,
  vectorsOf,
} from "../../support/embeddings.ts";

/** Returns the stored vector of an observation. */
async function storedRow(sql: Sql, observation_id: number) {
  const [row] = await sql`
    select
      observation_id::integer as observation_id,
      encode(content_key, 'hex') as content_key,
      encode(vector, 'base64') as vector,
      scale::double precision as scale
    from observation_embeddings where observation_id = ${observation_id}
  `;
  return { ...row };
}

/** Returns the row that is expected for a text. */
async function expectedRow(observation_id: number, text: string) {
  const { data } = await embeddingsOf([text]).json();
  const vector = Float32Array.from(data[0].embedding);
  const row = embeddingRow(observation_id, contentKey(text), vector);
  return { ...row, scale: Math.fround(row.scale!) };
}

oneEngineTest(
  "step() embeds deliverable observations once, and again after a revision",
  async ({ sql }) => {
    await using host = startEmbeddingHost();
    const embedder = embedderOf(sql, host.endpoint());
    const crane = sourceRecord({
      source: "cranes",
      observed_fact: "A crane is wanted.",
      why_it_may_matter: "It lifts.",
      company: { name: "Harbour Lifts" },
    });
    const [first] = await record(sql, [crane]);
    await drain(embedder);
    const text = `Harbour Lifts\nA crane is wanted.\nIt lifts.\n${crane.evidence[0]!.excerpt}`;
    assert.deepEqual(host.requests, [{ model: "m-1", input: [text] }]);
    const ids = [first!.observation_id];
    assert.deepEqual(await storedRow(sql, ids[0]!), await expectedRow(ids[0]!, text));
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
    const follower = vectorFollowerOf(sql);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 1 });

    await record(sql, [crane]);
    await drain(embedder);
    assert.equal(host.requests.length, 1);
    await record(sql, [{ ...crane, observed_fact: "A derrick is wanted." }]);
    await drain(embedder);
    const revised = text.replace("A crane", "A derrick");
    assert.deepEqual(host.requests.slice(1), [{ model: "m-1", input: [revised] }]);
    assert.deepEqual(await storedRow(sql, ids[0]!), await expectedRow(ids[0]!, revised));

    await setSource(sql, "cranes", false);
    await drain(embedder);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: null }]);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 0 });
    await setSource(sql, "cranes", true);
    await drain(embedder);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 1 });
    await withdrawObservation(sql, ids[0]!);
    await drain(embedder);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: null }]);
  },
);

oneEngineTest("step() sends at most 64 texts per request", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await record(sql, Array.from({ length: 300 }, () => sourceRecord()));
  await drain(embedderOf(sql, host.endpoint()));
  const sizes = host.requests.map(({ input }) => input.length).sort((a, b) => b - a);
  assert.deepEqual(sizes, [64, 64, 64, 64, 44]);
  assert.deepEqual(await loaded(vectorFollowerOf(sql)), { name: "m-1", size: 300 });
});

oneEngineTest("step() sends at most 60,000 characters per request", async ({ sql }) => {
  await using host = startEmbeddingHost();
  // Only the first 2,000 characters of a text are embedded.
  const observed_fact = "crane".repeat(400);
  await record(sql, Array.from({ length: 61 }, () => sourceRecord({ observed_fact })));
  await drain(embedderOf(sql, host.endpoint()));
  const texts = host.requests.map(({ input }) => input.map(({ length }) => length));
  const full = Array(30).fill(2_000);
  assert.deepEqual(texts.sort((a, b) => b.length - a.length), [full, full, [2_000]]);
});

oneEngineTest(
  "step() skips the page of another worker, and takes it over if that worker dies",
  async ({ sql }) => {
    await using host = startHoldingHost();
    const recorded = await record(sql, [sourceRecord(), sourceRecord()]);
    const dying = new AbortController();
    const died = embedderOf(sql, host.endpoint()).step(dying.signal);
    await host.holding;
    host.answer();
    const rival = embedderOf(sql, host.endpoint());
    assert.equal(await rival.step(NEVER_ABORTED), false);
    assert.equal(host.requests.length, 1);

    dying.abort();
    assert.equal(await died, false);
    host.release();
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: null }]);
    await sql`update embedding_models set leased_until = clock_timestamp()`;
    await drain(rival);
    const ids = recorded.map(({ observation_id }) => observation_id);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
  },
);

oneEngineTest("step() stores nothing after it has lost its lease", async ({ sql }) => {
  let stealsLease = true;
  await using host = startEmbeddingHost(async ({ input }) => {
    if (stealsLease) await sql`update embedding_models set lease_token = gen_random_uuid()`;
    return embeddingsOf(input);
  });
  const [crane] = await record(sql, [sourceRecord()]);
  await embedderOf(sql, host.endpoint()).step(NEVER_ABORTED);
  assert.equal(host.requests.length, 1);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: null }]);
  assert.equal(await loaded(vectorFollowerOf(sql)), undefined);

  stealsLease = false;
  await sql`update embedding_models set leased_until = clock_timestamp()`;
  await drain(embedderOf(sql, host.endpoint()));
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [crane!.observation_id] }]);
});

oneEngineTest("step() renews its lease with each store", async ({ sql }) => {
  const left: number[] = [];
  await using host = startEmbeddingHost(async ({ input }) => {
    const [{ seconds }] = await sql<[{ seconds: number }]>`
      select extract(epoch from leased_until - clock_timestamp())::integer as seconds
      from embedding_models
    `;
    left.push(Math.round(seconds / 100));
    await sql`update embedding_models set leased_until = clock_timestamp() + interval '1 second'`;
    return input.length > 1 ? new Response("", { status: 413 }) : embeddingsOf(input);
  });
  await record(sql, [sourceRecord(), sourceRecord()]);
  await embedderOf(sql, host.endpoint()).step(NEVER_ABORTED);
  // Hundreds of seconds that are left of the lease at each request. The first request has both
  // texts, and is refused. The others have one text each. Storing the first text renews the lease.
  assert.deepEqual(left, [3, 0, 3]);
  assert.deepEqual(await loaded(vectorFollowerOf(sql)), { name: "m-1", size: 2 });
});

oneEngineTest(
  "step() deletes expired vectors, and embeds observations that become deliverable again",
  async ({ sql }) => {
    await using host = startEmbeddingHost();
    const embedder = embedderOf(sql, host.endpoint());
    const expires_at = "2099-01-01T00:00:00Z";
    const [hall, truck] = [sourceRecord({ expires_at }), sourceRecord({ expires_at })];
    const recorded = await record(sql, [hall, truck, sourceRecord()]);
    const [hallId, truckId, lastingId] = recorded.map(({ observation_id }) => observation_id);
    await drain(embedder);
    const follower = vectorFollowerOf(sql);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 3 });

    await sql`
      update observations set expires_at = now() - interval '11 minutes'
      where id in (${hallId!}, ${truckId!})
    `;
    await drain(embedder);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [lastingId] }]);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 1 });
    await sql`update observations set expires_at = '-infinity' where id = ${truckId!}`;
    await drain(embedder);
    assert.equal(host.requests.length, 1);

    await record(sql, [{ ...hall, expires_at: "2100-01-01T00:00:00Z" }]);
    await drain(embedder);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [hallId, lastingId] }]);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 2 });
  },
);

oneEngineTest("step() deletes expired vectors also while changes continue", async ({ sql }) => {
  await using host = startEmbeddingHost();
  const embedder = embedderOf(sql, host.endpoint());
  const [hall] = await record(sql, [sourceRecord({ expires_at: "2099-01-01T00:00:00Z" })]);
  await drain(embedder);
  await sql`
    update observations set expires_at = now() - interval '11 minutes'
    where id = ${hall!.observation_id}
  `;
  const [crane] = await record(sql, [sourceRecord()]);
  await embedder.step(NEVER_ABORTED);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [crane!.observation_id] }]);
});

oneEngineTest("step() releases its page after a failed request", async ({ sql }) => {
  await using failing = startEmbeddingHost(() => new Response("", { status: 401 }));
  await using host = startEmbeddingHost();
  const [crane] = await record(sql, [sourceRecord()]);
  assert.equal(await embedderOf(sql, failing.endpoint()).step(NEVER_ABORTED), false);
  await embedderOf(sql, host.endpoint()).step(NEVER_ABORTED);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [crane!.observation_id] }]);
});
