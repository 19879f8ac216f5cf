/** Tests how a separate process of the command `work` refreshes sources. */
import assert from "node:assert/strict";
import { scheduleFeed, setSourceTerms } from "../../../src/ingest/refresh/schedule.ts";
import { SOURCES } from "../../../src/ingest/sources/sources.ts";
import type { Sql } from "../../../src/db/connect.ts";
import { serverTest } from "../../support/database.ts";
import { type Publisher, readFeed, startPublisher } from "../../support/publisher.ts";
import { type Service, startService, WORKING } from "../../support/service.ts";
import { eventually } from "../../support/waiting.ts";

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
