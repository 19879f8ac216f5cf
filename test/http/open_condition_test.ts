/** Companies whose records leave a condition of the question open. */
import assert from "node:assert/strict";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";

oneEngineTest(
  "a company whose records do not state the asked place is marked as such",
  async (t) => {
    const { db, sql } = t;
    const { key } = await createCaller(sql);
    await record(sql, [
      { company: { name: "Aaland" }, observed_fact: "A freezer warehouse is being built." },
      {
        company: { name: "Borealis", external_id: "borealis" },
        observed_fact: "A freezer warehouse is being built.",
        facets: { place: { country: "CA", region: "ON", city: "Toronto" } },
      },
      // One record that states the place is enough.
      {
        company: { name: "Borealis", external_id: "borealis" },
        observed_fact: "A freezer warehouse is being built.",
      },
    ]);
    await withApp(db, async ({ search, ask }) => {
      const marks = (companies: { name: string; limitations: string[] }[]) =>
        companies.map((
          { name, limitations },
        ) => [name, limitations.includes("condition_not_stated")]);
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
      assert.deepEqual(marks(anywhere.body.companies), [["Aaland", false], ["Borealis", false]]);
    });
  },
);
