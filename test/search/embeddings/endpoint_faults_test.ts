import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { createLog } from "../../../src/log.ts";
import { oneEngineTest } from "../../support/database.ts";
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

const MINUTES = 60_000;

/** Returns a clock that only the test advances, and the logged lines without their times. */
function observed() {
  const clock = { now: 0 };
  const lines: Record<string, unknown>[] = [];
  const log = createLog("debug", (line) => {
    const { time: _, ...rest } = JSON.parse(line);
    lines.push(rest);
  });
  return { clock, lines, parts: { log, now: () => clock.now } };
}

async function recordSome(sql: Sql, count: number): Promise<number[]> {
  const recorded = await record(sql, Array.from({ length: count }, () => sourceRecord()));
  return recorded.map(({ observation_id }) => observation_id).sort((a, b) => a - b);
}

const sizes = ({ requests }: { requests: { input: string[] }[] }) =>
  requests.map(({ input }) => input.length);

/** Returns a response with vectors of three dimensions. */
const narrow = (input: readonly string[]) =>
  Response.json({ data: input.map((_, index) => ({ index, embedding: [1, 2, index] })) });

oneEngineTest("step() gives up texts that the model refuses individually", async ({ sql }) => {
  await using host = startEmbeddingHost(({ input }) =>
    input.some((text) => text.includes("poison")) ? new Response("", { status: 400 }) : undefined
  );
  const facts = ["truck", "poison", "poison", "crane"];
  const recorded = await record(sql, facts.map((fact) => sourceRecord({ observed_fact: fact })));
  const { lines, parts } = observed();
  await drain(embedderOf(sql, host.endpoint(), parts));
  const [truck, , , crane] = recorded.map(({ observation_id }) => observation_id);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [truck, crane] }]);
  assert.deepEqual(await loaded(vectorFollowerOf(sql)), { name: "m-1", size: 2 });
  const line = { level: "warn", message: "texts refused by the model", host: host.host };
  assert.deepEqual(lines, [{ ...line, fault: "answered with status 400", texts: 2 }]);
});

oneEngineTest(
  "step() treats a model that refuses every text as failing",
  async ({ sql }) => {
    let refuses = true;
    await using host = startEmbeddingHost(({ model }) =>
      refuses && model === "model-2" ? new Response("", { status: 400 }) : undefined
    );
    const ids = await recordSome(sql, 3);
    await drain(embedderOf(sql, host.endpoint("m-1")));
    await sql`update embedding_models set asked_at = now() - interval '1 day'`;
    const follower = vectorFollowerOf(sql, "model-2");
    const { clock, lines, parts } = observed();
    const second = embedderOf(sql, host.endpoint("model-2"), parts);
    for (; clock.now < 60 * MINUTES; clock.now += 5 * MINUTES) await drain(second);
    assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }, { name: "model-2", ids: null }]);
    assert.deepEqual(await loaded(follower), { name: "m-1", size: 3 });
    const line = { level: "warn", message: "observations not embedded", host: host.host };
    const fault = "answered with status 400";
    const failures = Array.from({ length: 12 }, (_, n) => n + 1);
    assert.deepEqual(lines, failures.map((failures) => ({ ...line, fault, failures })));

    refuses = false;
    await drain(second);
    await drain(second);
    assert.deepEqual(await vectorsOf(sql), [{ name: "model-2", ids }]);
    assert.deepEqual(await loaded(follower), { name: "model-2", size: 3 });
  },
);

const FAILURES: Record<string, () => Response> = {
  "fail with status 500": () => new Response("", { status: 500 }),
  "end in a broken answer": () =>
    new Response("no gzip", { headers: { "content-encoding": "gzip" } }),
};

for (const [failure, fail] of Object.entries(FAILURES)) {
  oneEngineTest(
    `step() gives up a text if only the requests with it ${failure}`,
    async ({ sql }) => {
      await using host = startEmbeddingHost(({ input }) =>
        input.some((text) => text.includes("poison")) ? fail() : undefined
      );
      const facts = ["truck", "poison", "crane"];
      const records = facts.map((fact) => sourceRecord({ observed_fact: fact }));
      const recorded = await record(sql, records);
      const { clock, parts } = observed();
      const embedder = embedderOf(sql, host.endpoint(), parts);
      for (; clock.now < 120 * MINUTES; clock.now += 5 * MINUTES) await drain(embedder);
      const [truck, , crane] = recorded.map(({ observation_id }) => observation_id);
      assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [truck, crane] }]);
      assert.deepEqual(await loaded(vectorFollowerOf(sql)), { name: "m-1", size: 2 });
      // Before the last failure, the host has accepted a probe with another text.
      const last = host.requests.findLastIndex(({ input }) => input[0]!.includes("poison"));
      assert.deepEqual(host.requests[last - 1]!.input, ["A company builds a second hall."]);
    },
  );
}

oneEngineTest("step() gives up no text after too many requests", async ({ sql }) => {
  let isBusy = true;
  await using host = startEmbeddingHost(({ input }) =>
    isBusy && !input[0]!.startsWith("A company") ? new Response("", { status: 429 }) : undefined
  );
  const ids = await recordSome(sql, 1);
  const { clock, parts } = observed();
  const embedder = embedderOf(sql, host.endpoint(), parts);
  for (; clock.now < 120 * MINUTES; clock.now += 5 * MINUTES) await drain(embedder);
  isBusy = false;
  await drain(embedder);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
});

oneEngineTest("step() sends fewer texts to a failing endpoint, then more", async ({ sql }) => {
  await using host = startEmbeddingHost(({ input }) =>
    input.length > 1 ? new Response("", { status: 503 }) : undefined
  );
  const ids = await recordSome(sql, 4);
  const { clock, parts } = observed();
  const embedder = embedderOf(sql, host.endpoint(), parts);
  for (; clock.now < 120 * MINUTES; clock.now += 5 * MINUTES) await drain(embedder);
  assert.deepEqual(sizes(host), [4, 4, 4, 4, 4, 4, 4, 2, 1, 2, 1, 2, 1, 1]);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
  assert.deepEqual(await loaded(vectorFollowerOf(sql)), { name: "m-1", size: 4 });
});

oneEngineTest("step() stores other answers after a 429, and obeys Retry-After", async ({ sql }) => {
  let refused: string[] | undefined;
  await using host = startEmbeddingHost(({ input }) => {
    if (refused !== undefined) return undefined;
    refused = input;
    return new Response("", { status: 429, headers: { "retry-after": "120" } });
  });
  const ids = await recordSome(sql, 130);
  const { clock, lines, parts } = observed();
  const embedder = embedderOf(sql, host.endpoint(), parts);
  assert.equal(await embedder.step(NEVER_ABORTED), false);
  assert.deepEqual(sizes(host).sort((a, b) => a - b), [2, 64, 64]);
  assert.equal((await vectorsOf(sql))[0]!.ids.length, 130 - refused!.length);
  assert.equal(lines[0]!.fault, "answered with status 429");
  clock.now = 2 * MINUTES - 1;
  assert.equal(await embedder.step(NEVER_ABORTED), false);
  assert.equal(host.requests.length, 3);
  clock.now++;
  await drain(embedder);
  assert.deepEqual(host.requests.slice(3).flatMap(({ input }) => input), refused);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
});

oneEngineTest("step() waits for the longest Retry-After of its batches", async ({ sql }) => {
  await using host = startEmbeddingHost(({ input }) =>
    input.length === 2
      ? new Response("", { status: 500 })
      : new Response("", { status: 503, headers: { "retry-after": "120" } })
  );
  await recordSome(sql, 66);
  const { clock, parts } = observed();
  const embedder = embedderOf(sql, host.endpoint(), parts);
  await embedder.step(NEVER_ABORTED);
  clock.now = 2 * MINUTES - 1;
  await embedder.step(NEVER_ABORTED);
  assert.equal(host.requests.length, 2);
  clock.now++;
  await embedder.step(NEVER_ABORTED);
  assert.equal(host.requests.length, 4);
});

oneEngineTest("step() stores the other answers if one batch times out", async ({ sql }) => {
  const held = Promise.withResolvers<Response>();
  await using host = startEmbeddingHost(({ input }) =>
    input.length === 2 ? held.promise : undefined
  );
  const ids = await recordSome(sql, 66);
  const { lines, parts } = observed();
  const embedder = embedderOf(sql, host.endpoint(), { ...parts, milliseconds: 3_000 });
  assert.equal(await embedder.step(NEVER_ABORTED), false);
  held.resolve(new Response());
  assert.equal(lines[0]!.fault, "no answer in 3000 ms");
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: ids.slice(0, 64) }]);
  assert.equal(await loaded(vectorFollowerOf(sql)), undefined);
});

oneEngineTest("step() waits at most 15 minutes, whatever Retry-After demands", async ({ sql }) => {
  await using host = startEmbeddingHost(() =>
    new Response("", { status: 503, headers: { "retry-after": "86400" } })
  );
  await recordSome(sql, 1);
  const { clock, parts } = observed();
  const embedder = embedderOf(sql, host.endpoint(), parts);
  await embedder.step(NEVER_ABORTED);
  clock.now = 15 * MINUTES - 1;
  await embedder.step(NEVER_ABORTED);
  assert.equal(host.requests.length, 1);
  clock.now++;
  await embedder.step(NEVER_ABORTED);
  assert.equal(host.requests.length, 2);
});

oneEngineTest("step() treats a change of the number of dimensions as a fault", async ({ sql }) => {
  let changed = false;
  await using host = startEmbeddingHost(({ input }) => changed ? narrow(input) : undefined);
  const ids = await recordSome(sql, 2);
  const { clock, lines, parts } = observed();
  const embedder = embedderOf(sql, host.endpoint(), parts);
  await drain(embedder);
  changed = true;
  const [third] = await recordSome(sql, 1);
  for (; clock.now < 60 * MINUTES; clock.now += 5 * MINUTES) await drain(embedder);
  assert.equal(lines[0]!.fault, "answered with 3 dimensions instead of 48");
  // Each step sends one request: the text, or a probe if the text itself may cause the fault.
  assert.equal(host.requests.length, 1 + 12);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids }]);
  assert.deepEqual(await loaded(vectorFollowerOf(sql)), { name: "m-1", size: 2 });
  changed = false;
  await drain(embedder);
  assert.deepEqual(await vectorsOf(sql), [{ name: "m-1", ids: [...ids, third] }]);
});

oneEngineTest("step() only stores vectors with the same number of dimensions", async ({ sql }) => {
  let mixed = true;
  await using host = startEmbeddingHost(({ input }) =>
    mixed && input.length === 2 ? narrow(input) : embeddingsOf(input)
  );
  await recordSome(sql, 130);
  const { clock, lines, parts } = observed();
  const embedder = embedderOf(sql, host.endpoint(), parts);
  await drain(embedder);
  assert.match(`${lines[0]!.fault}`, /^answered with \d+ dimensions instead of/);
  const [{ lengths }] = await sql<[{ lengths: number }]>`
    select count(distinct length(vector)) as lengths from observation_embeddings
  `;
  assert.equal(lengths, 1);
  assert.equal(await loaded(vectorFollowerOf(sql)), undefined);
  // The first stored answer sets the number of dimensions. These statements give the same state for
  // any order of the answers.
  await sql`delete from observation_embeddings where length(vector) = 3`;
  await sql`update embedding_models set dimensions = 48`;
  mixed = false;
  clock.now = 5 * MINUTES;
  await drain(embedder);
  assert.deepEqual(await loaded(vectorFollowerOf(sql)), { name: "m-1", size: 130 });
});

oneEngineTest(
  "step() backs off from a failing endpoint, and logs no texts",
  async ({ sql }) => {
    await using host = startEmbeddingHost(() => new Response("no", { status: 500 }));
    await record(sql, [sourceRecord({ observed_fact: "A secret crane." })]);
    const { clock, lines, parts } = observed();
    const embedder = embedderOf(sql, host.endpoint(), parts);
    assert.equal(await embedder.step(NEVER_ABORTED), false);
    clock.now = 999;
    assert.equal(await embedder.step(NEVER_ABORTED), false);
    assert.equal(host.requests.length, 1);
    const line = { level: "warn", message: "observations not embedded", host: host.host };
    assert.deepEqual(lines, [{ ...line, fault: "answered with status 500", failures: 1 }]);
    clock.now = 1_000;
    await embedder.step(NEVER_ABORTED);
    clock.now = 2_999;
    await embedder.step(NEVER_ABORTED);
    assert.equal(host.requests.length, 2);
  },
);
