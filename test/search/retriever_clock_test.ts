import assert from "node:assert/strict";
import { Retriever } from "../../src/search/retriever.ts";
import { oneEngineTest } from "../support/database.ts";
import { silent } from "../support/operations.ts";

oneEngineTest("Retriever.now returns the database's time after the load", async ({ sql }) => {
  const databaseNow = async () =>
    (await sql<{ now: Date }[]>`select clock_timestamp() as now`)[0]!.now;
  const retriever = new Retriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
  assert.throws(() => retriever.source.now, { name: "Failure", code: "retrieval_unavailable" });
  const { now } = performance;
  try {
    const before = await databaseNow();
    await retriever.source.start();
    const loaded = new Date(retriever.source.now);
    assert(before <= loaded && loaded <= await databaseNow());
    performance.now = () => now.call(performance) + 60_000;
    assert(retriever.source.state.lag_seconds >= 60);
    await retriever.source.refresh();
    assert(retriever.source.state.lag_seconds < 60);
    assert(loaded <= new Date(retriever.source.now));
  } finally {
    performance.now = now;
    await retriever.source.close();
  }
});
