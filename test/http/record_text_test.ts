/** The `text` and `facets` of a record, from `ingest` to the answers of both doors. */
import assert from "node:assert/strict";
import type { Database } from "../../src/db/connect.ts";
import { withApp } from "../support/app.ts";
import { runIngest } from "../support/command.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, sourceRecord } from "../support/factories.ts";
import { rpc, toolCall } from "../support/mcp.ts";

async function ingestRecords(db: Database, records: object[]) {
  const stdin = new Blob(records.map((one) => JSON.stringify(one) + "\n")).stream();
  const { printed, ...outcome } = await runIngest(["-"], { db, stdin });
  return { ...outcome, counts: JSON.parse(printed) };
}

oneEngineTest("a word of a record's text finds it, but is not shown", async ({ db, sql }) => {
  const hall = sourceRecord({
    company: { name: "Northwind Foods", domains: ["northwind.example"] },
    observed_fact: "A second hall is being built in Laval.",
    text: ["The hall gets a zirconium furnace.", "La halle aura un four au zirconium, à Laval."],
    facets: { amount: { value: 4_000_000, currency: "CAD" }, product: "furnaces" },
  });
  const harbour = sourceRecord({ observed_fact: "A harbour crane is sold." });
  const { exit_code, counts } = await ingestRecords(db, [hall, harbour]);
  assert.deepEqual([exit_code, counts.recorded, counts.excerpts_cut], [0, 2, 0]);
  const [stored] = await sql<[{ facets: object }]>`
    select facets from observations where external_id = ${hall.external_id}
  `;
  assert.deepEqual(stored.facets, {
    amount: { currency: "CAD", value: 4_000_000 },
    product: "furnaces",
  });
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app, ask, search }) => {
    const query = { query: "zirconium furnace" };
    const companies = await search(query, { key, request_key: "k1" });
    assert.deepEqual(companies.body.companies.map(({ name }: { name: string }) => name), [
      "Northwind Foods",
    ]);
    const observations = await rpc(
      app,
      toolCall("search_observations", { ...query, request_key: "k2" }),
      { key },
    );
    const matches = observations.body.result.structuredContent.observations;
    assert.deepEqual(
      matches.map((one: { observed_fact: string }) => one.observed_fact),
      ["A second hall is being built in Laval."],
    );
    const { id } = matches[0];
    const one = await ask(`/api/observations/${id}`, { key });
    assert.equal(one.status, 200);
    const called = await rpc(
      app,
      toolCall("search_companies", { ...query, request_key: "k3" }),
      { key },
    );
    assert.deepEqual(
      called.body.result.structuredContent.companies.map(({ name }: { name: string }) => name),
      ["Northwind Foods"],
    );
    const observed = await rpc(app, toolCall("get_observation", { id }), { key });
    for (const { body } of [companies, observations, one, called, observed]) {
      const shown = JSON.stringify(body).replaceAll(query.query, "");
      assert.match(shown, /second hall/);
      assert.doesNotMatch(shown, /zirconium|furnace|facets|4000000/i);
    }
  });
});

oneEngineTest(
  "a long excerpt is cut and counted, but all of it is searched",
  async (t) => {
    const { db, sql } = t;
    const filler = "Nothing of note stands in this sentence of the report. ".repeat(30);
    const excerpt =
      `${filler}The crane was sold to a shipyard. ${filler}A zirconium furnace follows.`;
    const long = sourceRecord({
      observed_fact: "The crane was sold.",
      evidence: [
        { source_uri: "https://news.example/1", excerpt },
        { source_uri: "https://news.example/2", excerpt: "The crane was sold." },
      ],
    });
    const { counts } = await ingestRecords(db, [long, sourceRecord()]);
    assert.deepEqual([counts.recorded, counts.excerpts_cut], [2, 1]);
    const again = await ingestRecords(db, [long]);
    assert.deepEqual([again.counts.unchanged, again.counts.excerpts_cut], [1, 1]);
    const { key } = await createCaller(sql);
    await withApp(db, async ({ search }) => {
      const { body } = await search({ query: "zirconium furnace" }, { key, request_key: "k1" });
      const [observation] = body.companies[0].observations;
      const shown = observation.evidence.map((one: { excerpt: string }) => one.excerpt);
      assert.equal(shown.length, 2);
      const cut = shown.find((text: string) => text.length > 100);
      assert.ok(cut.length <= 600, `${cut.length}`);
      assert.match(cut, /The crane was sold to a shipyard\./);
      assert.doesNotMatch(cut, /zirconium/);
    });
  },
);

oneEngineTest("a record with invalid text or facets is rejected", async ({ db }) => {
  const faulty = [
    { text: ["1", "2", "3", "4", "5"] },
    { text: 7 },
    { facets: { colour: "red" } },
    { facets: { naics: ["x"] } },
    { facets: { amount: { value: 5 } } },
  ];
  const records = faulty.map((part) => ({ ...sourceRecord(), ...part }));
  const { exit_code, counts, messages } = await ingestRecords(db, records);
  assert.deepEqual([exit_code, counts.rejected], [1, 5]);
  assert.deepEqual(messages.slice(0, 5).map((line) => JSON.parse(line).reason.split(":")[0]), [
    "text",
    "text",
    "facets",
    "facets.naics.0",
    "facets.amount.currency",
  ]);
});
