import assert from "node:assert/strict";
import { Retriever } from "../../src/search/retriever.ts";
import { oneEngineTest } from "../support/database.ts";
import { silent } from "../support/operations.ts";

oneEngineTest("Retriever.now returns the database's time after the load", async ({ sql }) => {
  const databaseNow = async () =>
    (await sql<{ now: Date }[]>`select clock_timestamp() as now`)[0]!.now;
  const retriever = new Retriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
  assert.throws(() => retriever.now, { name: "Failure", code: "retrieval_unavailable" });
  const { now } = performance;
  try {
    const before = await databaseNow();
    await retriever.start();
    const loaded = retriever.now;
    assert(before <= loaded && loaded <= await databaseNow());
    performance.now = () => now.call(performance) + 60_000;
    assert(retriever.state.lag_seconds >= 60);
    await retriever.refresh();
    assert(retriever.state.lag_seconds < 60);
    assert(loaded <= retriever.now);
  } finally {
    performance.now = now;
    await retriever.close();
  }
});
