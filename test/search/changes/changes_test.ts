import assert from "node:assert/strict";
import {
  changesAfter,
  documentOf,
  parseChanges,
  readChanges,
} from "../../../src/search/changes/changes.ts";
import { oneEngineTest } from "../../support/database.ts";
import { record } from "../../support/factories.ts";

oneEngineTest(
  "documentOf() returns facets, amount, closing time and sectors from the database",
  async ({ sql }) => {
    await record(sql, [
      {
        company: { name: "Linked In Inc.", domains: ["former.example", "linked.example"] },
        categories: ["31-33"],
        facets: {
          place: { country: "CA", region: "QC" },
          round: "series_a",
          amount: { value: 5_000_000, currency: "USD" },
          deadline: "2026-12-01T14:30:45-05:00",
          naics: ["541511"],
          former_names: ["Old Name Ltd."],
          tickers: ["LNKD"],
        },
      },
      { company: { name: "Plain" }, categories: [] },
      { facets: { amount: { value: 0, currency: "CAD" } } },
    ]);
    await sql`
      update company_domains set active = false
      where domain_id = (select id from domains where hostname = 'former.example')
    `;
    const start = { change_seq: 0, id: 0 };
    const page = await readChanges(sql, { after: start, limit: 10 });
    const [first, second, third] = parseChanges(page).map(documentOf);
    assert.deepEqual(
      first!.facets.filter((facet) => /^(name|region|round|ticker):/.test(facet)).toSorted(),
      ["name:linkedin", "name:oldname", "region:CA-QC", "round:series_a", "ticker:lnkd"],
    );
    assert.deepEqual([first!.amount, third!.amount], [5_000_000, 0]);
    assert.deepEqual(first!.hostnames, ["linked.example"]);
    assert.equal(first!.closes_at, "2026-12-01T19:30:45.000000Z");
    assert.deepEqual(first!.sectors, ["31-33", "54"]);
    assert.deepEqual([second!.amount, second!.closes_at, second!.sectors], [null, null, []]);
    // The last page is the first one that is not full.
    for (const [limit, counts] of [[2, [2, 1]], [3, [3, 0]]] as const) {
      const pages = await Array.fromAsync(changesAfter(sql, start, limit));
      assert.deepEqual(pages.map(({ count }) => count), counts);
    }
  },
);
