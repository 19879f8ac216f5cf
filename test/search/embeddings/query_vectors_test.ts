import assert from "node:assert/strict";
import { QueryVectors } from "../../../src/search/embeddings/query_vectors.ts";
import { startEmbeddingHost } from "../../support/embedding_host.ts";
import { silent } from "../../support/operations.ts";
import { checked } from "../../support/web.ts";

/** So long that no answer is late for the machine's sake. */
const milliseconds = 60_000;

Deno.test({
  name: "find() remembers a query by its model and dimensions",
  async fn() {
    let embedding = [1, 2];
    await using host = startEmbeddingHost(() => Response.json({ data: [{ index: 0, embedding }] }));
    const queries = new QueryVectors({ endpoint: host.endpoint(), log: silent, milliseconds });
    const find = (model: string, dimensions: number) =>
      queries.find("crane", { model, dimensions });
    assert.deepEqual(await find("m-1", 2), Float32Array.of(1, 2));
    embedding = [3, 4, 5];
    assert.deepEqual(await find("m-1", 2), Float32Array.of(1, 2));
    assert.deepEqual(await find("m-1", 3), Float32Array.of(3, 4, 5));
    assert.equal(await find("model-2", 2), undefined);
    assert.deepEqual(host.asked.map(({ model }) => model), ["m-1", "m-1", "model-2"]);
  },
  ...checked,
});

Deno.test({
  name: "find() forgets of 501 queries the one that was asked for longest ago",
  async fn() {
    await using host = startEmbeddingHost(() =>
      Response.json({ data: [{ index: 0, embedding: [1] }] })
    );
    const queries = new QueryVectors({ endpoint: host.endpoint(), log: silent, milliseconds });
    const find = (query: number) => queries.find(`${query}`, { model: "m-1", dimensions: 1 });
    for (let query = 1; query <= 500; query++) await find(query);
    await find(1);
    await find(501);
    await find(1);
    assert.equal(host.asked.length, 501);
    await find(2);
    assert.deepEqual(host.asked.slice(501), [{ model: "m-1", input: ["2"] }]);
  },
  ...checked,
});
