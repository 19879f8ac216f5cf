/** Companies whose records leave a condition open, and words and hostnames that are withdrawn. */
import assert from "node:assert/strict";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { withdrawEvidence } from "../../src/ingest/record/withdraw.ts";

oneEngineTest(
  "a company whose records do not state the asked place is marked as such",
  async (t) => {
    const { db, sql } = t;
    const { key } = await createCaller(sql);
    const facets = { place: { country: "CA" as const, region: "ON", city: "Toronto" } };
    const kind = "procurement_request";
    await record(sql, [
      { company: { name: "Aaland" }, observed_fact: "A freezer warehouse is being built." },
      {
        company: { name: "Borealis", external_id: "borealis" },
        observed_fact: "A freezer warehouse is being built.",
        facets,
      },
      // One record that states the place is enough.
      {
        company: { name: "Borealis", external_id: "borealis" },
        observed_fact: "A freezer warehouse is being built.",
      },
      { company: { name: "Cirrus" }, kind, observed_fact: "A freezer warehouse is wanted." },
      { company: { name: "Dunes" }, kind, facets, observed_fact: "A cold warehouse is wanted." },
    ]);
    await withApp(db, async ({ search, ask }) => {
      // A record that states the place comes first, even if its words fit less.
      const tenders = { query: "freezer warehouse tenders in Toronto" };
      const ordered = await search(tenders, { key, request_key: "k0" });
      const marks = (companies: { name: string; limitations: string[] }[]) =>
        companies.map((
          { name, limitations },
        ) => [name, limitations.includes("condition_not_stated")]);
      assert.deepEqual(marks(ordered.body.companies), [["Dunes", false], ["Cirrus", true]]);
      const query = "freezer warehouse in Toronto since February 2026";
      const { body } = await search({ query, limit: 1 }, { key, request_key: "k1" });
      assert.deepEqual(marks(body.companies), [["Borealis", false]]);
      // Later pages and replays show the mark that the first page has found.
      const cursor = body.next_cursor;
      const next = await search({ query, limit: 1, cursor }, { key, request_key: "k2" });
      assert.deepEqual(marks(next.body.companies), [["Aaland", true]]);
      const replayed = await ask(`/api/usages/${next.body.usage.id}`, { key });
      assert.deepEqual(marks(replayed.body.companies), [["Aaland", true]]);
      const anywhere = await search({ query: "freezer warehouse" }, { key, request_key: "k3" });
      assert.deepEqual(
        marks(anywhere.body.companies),
        ["Aaland", "Borealis", "Cirrus"].map((name) => [name, false]),
      );
    });
  },
);

oneEngineTest("words of a withdrawn excerpt no longer find its observation", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const evidence = ["A cryogenic plant.", "A freezer plant."].map((excerpt, n) => ({
    source_uri: `https://news.example/${n}`,
    excerpt,
    observed_at: "2026-03-02T09:00:00Z",
  }));
  await record(sql, [{ evidence }, { evidence, text: "A cryogenic plant." }]);
  await withApp(db, async ({ app, search }) => {
    const countFor = async (query: string) => {
      const { body } = await search({ query }, { key, request_key: crypto.randomUUID() });
      return body.companies.length;
    };
    assert.deepEqual([await countFor("cryogenic"), await countFor("freezer")], [2, 2]);
    await withdrawEvidence(sql, "https://news.example/0");
    await app.retriever.source.refresh();
    assert.deepEqual([await countFor("cryogenic"), await countFor("freezer")], [0, 2]);
  });
});

oneEngineTest("a company read shows no hostname that the company no longer holds", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const domains = ["left.example", "north.example"];
  const [one] = await record(sql, [{ company: { name: "North", domains } }]);
  await sql`
    update company_domains set active = false
    where domain_id = (select id from domains where hostname = 'left.example')
  `;
  await withApp(db, async ({ ask }) => {
    const { body } = await ask(`/api/companies/${one!.company_id}`, { key });
    const shown = body.company.domains.map(({ hostname }: { hostname: string }) => hostname);
    assert.deepEqual(shown, ["north.example"]);
  });
});
