import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { readQuery } from "../../../src/search/reading/read_query.ts";
import { createRetriever } from "../../../src/search/retriever.ts";
import { databaseTest } from "../../support/database.ts";
import { record, sourceRecord } from "../../support/factories.ts";
import { silent } from "../../support/operations.ts";

const TRADES = ["cold storage warehouse", "harbour crane terminal", "dental clinic equipment"];

async function recordMany(sql: Sql, count: number): Promise<void> {
  await record(
    sql,
    Array.from({ length: count }, (_, n) =>
      sourceRecord({
        external_id: `many-${n}`,
        company: { name: `Company ${n % 60}` },
        observed_fact: `${TRADES[n % 3]} number ${n}`,
      })),
  );
}

async function loaded(sql: Sql) {
  const retriever = createRetriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
  await retriever.start();
  return Object.assign(retriever, { [Symbol.asyncDispose]: () => retriever.close() });
}

const request = (query: string) => ({
  reading: readQuery(query, new Date()),
  filters: normalizeFilters({}),
  companies: 100,
  observations_per_company: 3,
  now: new Date(),
});

databaseTest("a large dataset is searched by meaning after the first load", async ({ sql }) => {
  await recordMany(sql, 320);
  await using first = await loaded(sql);
  await using second = await loaded(sql);
  const found = await first.search(request("crane warehouse"));
  assert.equal(found.retrieval, "hybrid");
  assert.equal(found.entries.length, 40);
  assert.deepEqual(await second.search(request("crane warehouse")), found);
  const models = await sql`select documents from semantic_models`;
  assert.deepEqual([...models], [{ documents: 320 }]);
});

databaseTest("a retriever searches a small dataset only by words", async ({ sql }) => {
  await recordMany(sql, 20);
  await using retriever = await loaded(sql);
  assert.equal((await retriever.search(request("crane"))).retrieval, "lexical");
});

databaseTest("a retriever searches only by words if the model is damaged", async ({ sql }) => {
  await recordMany(sql, 320);
  await sql`insert into semantic_models (format, documents, body) values (1, 320, 'damaged')`;
  await using retriever = await loaded(sql);
  assert.equal((await retriever.search(request("crane"))).retrieval, "lexical");
});

databaseTest("a damaged new model replaces the former one", async ({ sql }) => {
  await recordMany(sql, 320);
  await using retriever = await loaded(sql);
  assert.equal((await retriever.search(request("crane"))).retrieval, "hybrid");
  await sql`select store_model(1, 320, 'damaged')`;
  await retriever.refresh();
  assert.equal((await retriever.search(request("crane"))).retrieval, "lexical");
});

databaseTest(
  "a retriever loads the model again for another dataset, even if the model has the same id",
  async ({ sql }) => {
    await recordMany(sql, 320);
    await using retriever = await loaded(sql);
    await sql`update semantic_models set body = 'damaged'`;
    await retriever.refresh();
    assert.equal((await retriever.search(request("crane"))).retrieval, "hybrid");
    await sql`update dataset_clock set dataset_id = gen_random_uuid()`;
    await retriever.refresh();
    assert.equal((await retriever.search(request("crane"))).retrieval, "lexical");
  },
);

databaseTest(
  "claim_learning() permits one learner, and another one after the data has changed",
  async ({ sql }) => {
    const claim = async (documents: number, format = 1) =>
      (await sql<[{ due: boolean }]>`
      select claim_learning(${format}, ${documents}, 300) as due
    `)[0].due;
    const store = (documents: number) => sql`select store_model(1, ${documents}, ''::bytea)`;
    assert.equal(await claim(1_000), true);
    assert.equal(await claim(1_000), false, "another process is learning");
    await store(1_000);
    assert.equal(await claim(1_400), false, "the data has hardly grown");
    assert.equal(await claim(2_100), true);
    await store(2_100);
    assert.equal(await claim(1_000), true, "more than half of the data was removed");
    await sql`update semantic_learning set leased_until = now() - interval '1 second'`;
    assert.equal(await claim(2_100), false);
    assert.equal(await claim(2_100, 2), true, "the model has another format");
    const models = await sql`select documents from semantic_models`;
    assert.deepEqual([...models], [{ documents: 2_100 }]);
  },
);

databaseTest("store_model() replaces all models but those of newer formats", async ({ sql }) => {
  for (const [format, documents] of [[1, 400], [2, 500], [1, 600], [1, 700]] as const) {
    await sql`select store_model(${format}, ${documents}, ''::bytea)`;
  }
  const kept = () => sql`select format, documents from semantic_models order by id`;
  assert.deepEqual([...await kept()], [
    { format: 2, documents: 500 },
    { format: 1, documents: 700 },
  ]);
  await sql`select store_model(2, 800, ''::bytea)`;
  assert.deepEqual([...await kept()], [{ format: 2, documents: 800 }]);
});
