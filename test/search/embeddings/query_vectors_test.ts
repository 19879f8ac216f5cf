import assert from "node:assert/strict";
import { createLog } from "../../../src/log.ts";
import { QueryVectors } from "../../../src/search/embeddings/embeddings.ts";
import { startEmbeddingHost } from "../../support/embedding_host.ts";
import { silent } from "../../support/operations.ts";
import { checkedTest } from "../../support/web.ts";

/** Milliseconds until an answer times out, enough for a slow machine. */
const query_milliseconds = 60_000;

checkedTest("find() caches vectors by query, model and number of dimensions", async () => {
  let embedding = [1, 2];
  await using host = startEmbeddingHost(() => Response.json({ data: [{ index: 0, embedding }] }));
  const queries = new QueryVectors({ endpoint: host.endpoint(), log: silent, query_milliseconds });
  const find = (model: string, dimensions: number) => queries.find("crane", { model, dimensions });
  assert.deepEqual(await find("m-1", 2), Float32Array.of(1, 2));
  embedding = [3, 4, 5];
  assert.deepEqual(await find("m-1", 2), Float32Array.of(1, 2));
  assert.deepEqual(await find("m-1", 3), Float32Array.of(3, 4, 5));
  assert.equal(await find("model-2", 2), undefined);
  assert.deepEqual(host.requests.map(({ model }) => model), ["m-1", "m-1", "model-2"]);
});

checkedTest("find() evicts the least recently used of 501 queries", async () => {
  await using host = startEmbeddingHost(() =>
    Response.json({ data: [{ index: 0, embedding: [1] }] })
  );
  const queries = new QueryVectors({ endpoint: host.endpoint(), log: silent, query_milliseconds });
  const find = (query: number) => queries.find(`${query}`, { model: "m-1", dimensions: 1 });
  for (let query = 1; query <= 500; query++) await find(query);
  await find(1);
  await find(501);
  await find(1);
  assert.equal(host.requests.length, 501);
  await find(2);
  assert.deepEqual(host.requests.slice(501), [{ model: "m-1", input: ["2"] }]);
});

checkedTest(
  "find() skips an endpoint after three time-outs, and probes it after five seconds",
  async () => {
    let now = 0;
    const held = Promise.withResolvers<Response>();
    let holds = true;
    await using host = startEmbeddingHost(() =>
      holds ? held.promise : Response.json({ data: [{ index: 0, embedding: [1] }] })
    );
    const faults: string[] = [];
    const log = createLog("warn", (line) => faults.push(JSON.parse(line).fault));
    const options = { endpoint: host.endpoint(), log, query_milliseconds: 50, now: () => now };
    const queries = new QueryVectors(options);
    const find = (query: string) => queries.find(query, { model: "m-1", dimensions: 1 });
    for (const query of ["a", "b", "c", "d"]) assert.equal(await find(query), undefined);
    assert.deepEqual(faults, Array(3).fill("no answer in 50 ms"));
    now = 5_000;
    assert.deepEqual(await Promise.all(["e", "f"].map(find)), [undefined, undefined]);
    assert.equal(faults.length, 4);
    holds = false;
    options.query_milliseconds = query_milliseconds;
    assert.equal(await find("g"), undefined);
    now = 10_000;
    assert.deepEqual(await find("h"), Float32Array.of(1));
    assert.deepEqual(await find("i"), Float32Array.of(1));
    assert.equal(faults.length, 4);
    assert.ok(!host.requests.some(({ input }) => ["d", "f", "g"].includes(input[0]!)));
    held.resolve(new Response());
  },
);

checkedTest(
  "find() skips an endpoint only after time-outs without an answer between them",
  async () => {
    const held = Promise.withResolvers<Response>();
    await using host = startEmbeddingHost(({ input }) => {
      if (input[0] === "answered") return Response.json({ data: [{ index: 0, embedding: [1] }] });
      return input[0] === "refused" ? new Response("", { status: 503 }) : held.promise;
    });
    const bounds = { log: silent, query_milliseconds: 200 };
    const queries = new QueryVectors({ endpoint: host.endpoint(), ...bounds });
    const asked = ["a", "b", "refused", "c", "d", "answered", "e", "f", "g", "h"];
    for (const query of asked) await queries.find(query, { model: "m-1", dimensions: 1 });
    assert.deepEqual(host.requests.flatMap(({ input }) => input), asked.slice(0, -1));
    held.resolve(new Response());
  },
);
