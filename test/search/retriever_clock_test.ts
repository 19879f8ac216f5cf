import assert from "node:assert/strict";
import { createRetriever } from "../../src/search/retriever.ts";
import { databaseTest } from "../support/database.ts";
import { record } from "../support/factories.ts";
import { normalizeFilters } from "../support/inputs.ts";
import { silent } from "../support/operations.ts";

databaseTest("Retriever.now returns the database's time after the load", async ({ sql }) => {
  const databaseNow = async () =>
    (await sql<{ now: Date }[]>`select clock_timestamp() as now`)[0]!.now;
  const retriever = createRetriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
  assert.throws(() => retriever.now, { name: "Failure", code: "retrieval_unavailable" });
  try {
    const before = await databaseNow();
    await retriever.start();
    const loaded = retriever.now;
    assert(before <= loaded && loaded <= await databaseNow());
    await retriever.refresh();
    assert(loaded <= retriever.now);
  } finally {
    await retriever.close();
  }
});

databaseTest(
  "search() returns the cached answer to a repeated question as time passes",
  async ({ sql }) => {
    await record(sql, [{ observed_fact: "A cold storage hall is being built." }]);
    const retriever = createRetriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
    try {
      await retriever.start();
      const search = () =>
        retriever.search({
          query: "cold storage",
          filters: normalizeFilters({}),
          companies: 10,
          observations_per_company: 3,
        });
      const first = await search();
      const loaded = retriever.now;
      await retriever.refresh();
      assert(loaded < retriever.now);
      assert.equal(await search(), first);
    } finally {
      await retriever.close();
    }
  },
);
