/** Refreshing in processes of their own: what `start` and `work` do by themselves. */
import assert from "node:assert/strict";
import { scheduleFeed, setSourceTerms } from "../../../src/ingest/refresh/schedule.ts";
import { SOURCES } from "../../../src/ingest/sources/sources.ts";
import type { Sql } from "../../../src/db/connect.ts";
import { serverTest } from "../../support/database.ts";
import { type Publisher, readFeed, startPublisher } from "../../support/publisher.ts";
import { type Service, startService, WORKING } from "../../support/service.ts";
import { eventually } from "../../support/waiting.ts";

/** A file of the right columns, with no notice in it. */
const EMPTY = [
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

serverTest("a worker runs what is due, and says so in one line", async ({ sql, url }) => {
  await using publisher = startPublisher(() => new Response(EMPTY));
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

serverTest("a worker that is stopped breaks off its request and gives the feed back", async (t) => {
  const { sql, url } = t;
  const asked = Promise.withResolvers<void>();
  const never = Promise.withResolvers<Response>();
  await using publisher = startPublisher(() => {
    asked.resolve();
    return never.promise;
  });
  await prepare(sql, publisher);
  await using worker = await startWorker(url, publisher);
  await asked.promise;
  const before = performance.now();
  await worker.stop();
  const milliseconds = performance.now() - before;
  never.resolve(new Response());
  // Before the request is given up for its silence.
  assert.ok(milliseconds < 25_000, `${milliseconds}`);
  const { lease_token, failures, last_outcome } = await readFeed(sql);
  assert.deepEqual([lease_token, failures, last_outcome], [null, 0, null]);
});
