import assert from "node:assert/strict";
import { embed } from "../../../src/search/embeddings/endpoint.ts";
import { ModelFault } from "../../../src/search/models/model_endpoint.ts";
import { startEmbeddingHost } from "../../support/embedding_host.ts";
import { checkedTest } from "../../support/web.ts";

const BOUNDS = { bytes: 65_536, milliseconds: 60_000 };

async function assertNotVectors(embedding: Promise<unknown>, message: string): Promise<void> {
  await assert.rejects(embedding, (error) => {
    assert(error instanceof ModelFault, message);
    assert.equal(error.kind, "not_vectors");
    return true;
  });
}

/** Embeds one text per vector. The endpoint answers with the vectors, given as JSON numbers. */
async function ask(...embeddings: string[]): Promise<Float32Array[]> {
  const data = embeddings.map((embedding, index) =>
    `{"index":${index},"embedding":[${embedding}]}`
  );
  await using host = startEmbeddingHost(() => new Response(`{"data":[${data}]}`));
  return await embed(host.endpoint(), embeddings.map(() => "a text"), BOUNDS);
}

checkedTest("embed() returns vectors of 32-bit numbers", async () => {
  assert.deepEqual(await ask("1,-0.5", "3.4e38,1e-50"), [
    Float32Array.of(1, -0.5),
    Float32Array.of(3.4e38, 0),
  ]);
});

checkedTest(
  "embed() refuses vectors of different lengths, and values other than finite numbers",
  async () => {
    for (const invalid of ["null,1", "1e300,1", "-1e39,1", "1e999,1", `"1",1`, "1", "1,1,1", ""]) {
      await assertNotVectors(ask("1,1", invalid), invalid);
    }
  },
);

checkedTest("embed() refuses answers without exactly one vector per text", async () => {
  for (const indexes of [[0], [1, 1], [0, 0], [0, 2], [0, 1, 2], []]) {
    const data = indexes.map((index) => ({ index, embedding: [1, 2] }));
    await using host = startEmbeddingHost(() => Response.json({ data }));
    await assertNotVectors(embed(host.endpoint(), ["one", "two"], BOUNDS), `${indexes}`);
  }
});

checkedTest("embed() refuses malformed answers and vectors that are too long", async () => {
  const bounds = { ...BOUNDS, bytes: 4_194_304 };
  const digits = `0.${"1".repeat(60)}`;
  const answers = [
    ...["", "null", "[]", "{}", '{"data":{}}', '{"data":[', '{"data":[]}', "]".repeat(100_000)],
    `{"data":[${"[".repeat(200_000)}`,
    `{"data":[${"1,".repeat(200_000)}1]}`,
    `{"data":[{"index":0,"embedding":[${`${digits},`.repeat(8_000)}1]}]}`,
  ];
  for (const answer of answers) {
    await using host = startEmbeddingHost(() => new Response(answer));
    await assertNotVectors(embed(host.endpoint(), ["one"], bounds), answer.slice(0, 40));
  }
});

checkedTest("embed() reads a long answer", async () => {
  const numbers = Array.from({ length: 4_096 }, (_, n) => n / 3).join();
  const data = Array.from(
    { length: 32 },
    (_, index) => `{"index":${index},"embedding":[${numbers}]}`,
  );
  await using host = startEmbeddingHost(() => new Response(`{"object":"list","data":[${data}]}`));
  const texts = data.map(() => "a text");
  const vectors = await embed(host.endpoint(), texts, { ...BOUNDS, bytes: 16_777_216 });
  assert.deepEqual(vectors.map(({ length }) => length), data.map(() => 4_096));
  assert.equal(vectors[31]![4_095], 1_365);
});
