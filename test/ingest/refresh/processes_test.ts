/** Processes that serve, and those of the command `work`, refresh sources. */
import assert from "node:assert/strict";
import { scheduleFeed, setSourceTerms } from "../../../src/ingest/refresh/schedule.ts";
import { SOURCES } from "../../../src/ingest/sources/sources.ts";
import { type Sql } from "../../../src/db/connect.ts";
import { oneEngineTest, serverTest } from "../../support/database.ts";
import {
  listing,
  type Publisher,
  readFeed,
  schedule,
  startPublisher,
  TEST_SOURCES,
} from "../../support/publisher.ts";
import { type Service, startService, WORKING } from "../../support/service.ts";
import { eventually } from "../../support/waiting.ts";
import { withApp } from "../../support/app.ts";
import { send } from "../../support/queue.ts";

/** Header of a file that lacks most columns of CanadaBuys. */
const INCOMPLETE_HEADER = [
  "title-titre-eng",
  "title-titre-fra",
  "referenceNumber-numeroReference",
].join(",") + "\r\n";

async function prepare(sql: Sql, { address }: Publisher): Promise<void> {
  const canadabuys = SOURCES.get("canadabuys")!;
  await setSourceTerms(sql, canadabuys, { address });
  await scheduleFeed(sql, canadabuys, { interval_seconds: 3_600 });
}

async function startWorker(url: string, { address }: Publisher): Promise<Service> {
  return await startService({
    env: { DATABASE_URL: url, FETCH_OPEN_ADDRESSES: new URL(address).host },
    args: ["work"],
    ready: WORKING,
  });
}

serverTest("a worker runs a due feed, and logs its failure in one line", async ({ sql, url }) => {
  await using publisher = startPublisher(() => new Response(INCOMPLETE_HEADER));
  await prepare(sql, publisher);
  await using worker = await startWorker(url, publisher);
  await eventually("the run is over", async () => (await readFeed(sql)).last_outcome !== null);
  const { last_outcome, last_error } = await readFeed(sql);
  assert.equal(last_outcome, "failed");
  assert.match(last_error, /^unreadable: .*columns missing/);
  await worker.stop();
  const lines = worker.stderr.split("\n").filter((line) => line.includes('"refresh failed"'));
  assert.deepEqual(lines.map((line) => JSON.parse(line).source), ["canadabuys"]);
  assert.deepEqual(publisher.asked, ["/openTenderNotice-ouvertAvisAppelOffres.csv"]);
});

serverTest("a worker that is stopped aborts its request, and releases its feed", async (t) => {
  const { sql, url } = t;
  const requested = Promise.withResolvers<void>();
  const never = Promise.withResolvers<Response>();
  await using publisher = startPublisher(() => {
    requested.resolve();
    return never.promise;
  });
  await prepare(sql, publisher);
  await using worker = await startWorker(url, publisher);
  await requested.promise;
  const before = performance.now();
  await worker.stop();
  const milliseconds = performance.now() - before;
  never.resolve(new Response());
  // The process ends before the unanswered request would time out.
  assert.ok(milliseconds < 25_000, `${milliseconds}`);
  const { lease_token, failures, last_outcome } = await readFeed(sql);
  assert.deepEqual([lease_token, failures, last_outcome], [null, 0, null]);
});

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
