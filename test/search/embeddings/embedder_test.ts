import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { setSource, withdrawObservation } from "../../../src/ingest/withdraw.ts";
import { createLog } from "../../../src/log.ts";
import { Embedder } from "../../../src/search/embeddings/embedder.ts";
import { VectorKeeper } from "../../../src/search/embeddings/keeper.ts";
import type { ModelEndpoint } from "../../../src/search/model_endpoint.ts";
import { databaseTest } from "../../support/database.ts";
import { startEmbeddingHost } from "../../support/embedding_host.ts";
import { record, sourceRecord } from "../../support/factories.ts";
import { silent } from "../../support/operations.ts";

const going = new AbortController().signal;

async function drain(embedder: Embedder): Promise<void> {
  while (await embedder.step(going));
}

const embedderOf = (sql: Sql, endpoint: ModelEndpoint) =>
  new Embedder({ sql, log: silent, endpoint });

/** Observations that have vectors, by model. */
async function vectorsOf(sql: Sql) {
  const rows = await sql<{ name: string; ids: number[] }[]>`
    select m.name, array_agg(e.observation_id::integer order by e.observation_id)
      filter (where e.vector is not null) as ids
    from embedding_models m
    left join observation_embeddings e on e.model_id = m.id
    group by m.id
    order by m.id
  `;
  return rows.map(({ name, ids }) => ({ name, ids }));
}

const keeperOf = (sql: Sql) => new VectorKeeper({ sql, log: silent });

async function loaded(keeper: VectorKeeper) {
  await keeper.refresh();
  const { served } = keeper;
  return served && { name: served.name, size: served.vectors.size };
}

databaseTest(
  "step() embeds what is deliverable, once, and what was revised again",
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
    assert.deepEqual(host.asked, [{
      model: "m-1",
      input: [`Harbour Lifts\nA crane is wanted.\nIt lifts.\n${crane.evidence[0]!.excerpt}`],
    }]);
    const ids = [first!.observation_id];
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
    const keeper = keeperOf(sql);
    assert.deepEqual(await loaded(keeper), { name: "m-1", size: 1 });

    await record(sql, [crane]);
    await drain(embedder);
    assert.equal(host.asked.length, 1);
    await record(sql, [{ ...crane, observed_fact: "A derrick is wanted." }]);
    await drain(embedder);
    assert.equal(host.asked.length, 2);

    await setSource(sql, "cranes", false);
    await drain(embedder);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: null }]);
    assert.deepEqual(await loaded(keeper), { name: "m-1", size: 0 });
    await setSource(sql, "cranes", true);
    await drain(embedder);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
    assert.deepEqual(await loaded(keeper), { name: "m-1", size: 1 });
    await withdrawObservation(sql, ids[0]!);
    await drain(embedder);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: null }]);
  },
);

databaseTest("step() asks for batches of at most 64 texts", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await record(sql, Array.from({ length: 300 }, () => sourceRecord()));
  await drain(embedderOf(sql, host.endpoint()));
  const sizes = host.asked.map(({ input }) => input.length).sort((a, b) => b - a);
  assert.deepEqual(sizes, [64, 64, 64, 64, 44]);
  assert.deepEqual(await loaded(keeperOf(sql)), { name: "m-1", size: 300 });
});

databaseTest(
  "step() leaves to another worker what it holds, and goes on where one died",
  async ({ sql }) => {
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<Response>();
    let holds = true;
    await using host = startEmbeddingHost(() => {
      if (!holds) return undefined;
      asked.resolve();
      return held.promise;
    });
    const recorded = await record(sql, [sourceRecord(), sourceRecord()]);
    const dying = new AbortController();
    const died = embedderOf(sql, host.endpoint()).step(dying.signal);
    await asked.promise;
    holds = false;
    const rival = embedderOf(sql, host.endpoint());
    assert.equal(await rival.step(going), false);
    assert.equal(host.asked.length, 1);

    dying.abort();
    assert.equal(await died, false);
    held.resolve(new Response());
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: null }]);
    await sql`update embedding_models set leased_until = clock_timestamp()`;
    await drain(rival);
    const ids = recorded.map(({ observation_id }) => observation_id);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
  },
);

databaseTest("step() stores nothing when its lease has become another's", async ({ sql }) => {
  await using host = startEmbeddingHost(async () => {
    await sql`update embedding_models set lease_token = gen_random_uuid()`;
    return undefined as unknown as Response;
  });
  await record(sql, [sourceRecord()]);
  await embedderOf(sql, host.endpoint()).step(going);
  assert.equal(host.asked.length, 1);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: null }]);
  assert.equal(await loaded(keeperOf(sql)), undefined);
});

databaseTest("step() waits for nothing that the endpoint refuses even alone", async ({ sql }) => {
  await using host = startEmbeddingHost(({ input }) =>
    input.some((text) => text.includes("poison")) ? new Response("", { status: 400 }) : undefined
  );
  const recorded = await record(
    sql,
    ["truck", "poison", "crane"].map((observed_fact) => sourceRecord({ observed_fact })),
  );
  await drain(embedderOf(sql, host.endpoint()));
  const [truck, , crane] = recorded.map(({ observation_id }) => observation_id);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [truck, crane] }]);
});

databaseTest(
  "step() backs off from an endpoint that fails, and tells no secret",
  async ({ sql }) => {
    await using host = startEmbeddingHost(() => new Response("no", { status: 500 }));
    await record(sql, [sourceRecord({ observed_fact: "A secret crane." })]);
    const lines: string[] = [];
    const log = createLog("debug", (line) => void lines.push(line));
    const embedder = new Embedder({ sql, log, endpoint: host.endpoint() });
    assert.equal(await embedder.step(going), false);
    assert.equal(await embedder.step(going), false);
    assert.equal(host.asked.length, 1);
    const [{ time: _, ...line }] = lines.map((text) => JSON.parse(text));
    assert.deepEqual(line, {
      level: "warn",
      message: "observations not embedded",
      host: host.host,
      fault: "answered with status 500",
      failures: 1,
    });
    assert.equal(lines.length, 1);
  },
);

databaseTest(
  "a new model takes the old one's place when it is complete, and not before",
  async ({ sql }) => {
    await using host = startEmbeddingHost();
    const recorded = await record(sql, Array.from({ length: 300 }, () => sourceRecord()));
    const ids = recorded.map(({ observation_id }) => observation_id);
    const first = embedderOf(sql, host.endpoint("m-1"));
    await drain(first);
    await first.release();
    const keeper = keeperOf(sql);
    assert.deepEqual(await loaded(keeper), { name: "m-1", size: 300 });

    const second = embedderOf(sql, host.endpoint("model-2"));
    assert.equal(await second.step(going), true);
    assert.deepEqual(await loaded(keeper), { name: "m-1", size: 300 });
    assert.deepEqual(await loaded(keeperOf(sql)), { name: "m-1", size: 300 });
    assert.equal(await second.step(going), false);
    assert.deepEqual(await loaded(keeper), { name: "model-2", size: 300 });
    await drain(second);
    assert.deepEqual(await vectorsOf(sql), [{ name: "model-2", ids }]);
  },
);

databaseTest("refresh() starts anew when the database has been set back", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await record(sql, [sourceRecord(), sourceRecord()]);
  await drain(embedderOf(sql, host.endpoint()));
  const keeper = keeperOf(sql);
  assert.deepEqual(await loaded(keeper), { name: "m-1", size: 2 });
  await sql`update embedding_models set stored_seq = 0`;
  await sql`delete from observation_embeddings`;
  assert.deepEqual(await loaded(keeper), { name: "m-1", size: 0 });
});
