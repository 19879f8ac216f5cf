/** Words of a withdrawn excerpt find nothing, and hostnames that a company has lost are hidden. */
import assert from "node:assert/strict";
import { withdrawEvidence } from "../../src/ingest/record/withdraw.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";

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
