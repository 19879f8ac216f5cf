import assert from "node:assert/strict";
import { withApp } from "../../support/app.ts";
import { oneEngineTest } from "../../support/database.ts";
import {
  listing,
  readFeed,
  schedule,
  startPublisher,
  TEST_SOURCES,
} from "../../support/publisher.ts";
import { send } from "../../support/queue.ts";

oneEngineTest("a serving process refreshes sources only if it has workers", async ({ db, sql }) => {
  await using publisher = startPublisher(() => listing([]));
  await schedule(sql, publisher);
  const message = { source: "bulletin", hostname: "north.example" };
  await send(sql, { queue: "refreshes", message });
  // The first refresh is under way when start() resolves, and close() waits for its end.
  const serve = (workers: number) =>
    withApp(db, () => Promise.resolve(), {
      workers,
      sources: TEST_SOURCES,
      env: { FETCH_OPEN_ADDRESSES: new URL(publisher.address).host },
    });
  await serve(0);
  assert.equal((await readFeed(sql)).last_started_at, null);
  const [{ read_ct }] = await sql<[{ read_ct: number }]>`select read_ct from pgmq.q_refreshes`;
  assert.equal(read_ct, 0);
  assert.deepEqual(publisher.asked, []);
  await serve(1);
  assert.ok((await readFeed(sql)).last_started_at instanceof Date);
});
