import assert from "node:assert/strict";
import type { SourceRecord } from "../../../src/contract/record.ts";
import type { Sql } from "../../../src/db/connect.ts";
import { runDueFeed } from "../../../src/ingest/refresh/refresher.ts";
import { runFeedNow, scheduleFeed, unscheduleFeed } from "../../../src/ingest/refresh/schedule.ts";
import { setSource } from "../../../src/ingest/record/withdraw.ts";
import { countsOf } from "../../support/counts.ts";
import { oneEngineTest, serverTest } from "../../support/database.ts";
import {
  bulletin,
  listing,
  NEVER,
  PAGE_RECORDS,
  type Publisher,
  readFeed,
  refreshContext,
  schedule,
  startPublisher,
  TEST_SOURCES,
} from "../../support/publisher.ts";

const RECORDS = Array.from(
  { length: 4 * PAGE_RECORDS + 1 },
  (_, n) => bulletin(`acme/${n}`, { source: "boards" }),
);

/**
 * Returns a function that answers each request with one page of the records. `before` runs before
 * each answer, and may delay it.
 */
function pagesOf(
  records: readonly SourceRecord[],
  before: (page: number) => void | Promise<void> = () => {},
): Publisher["answer"] {
  return async (request) => {
    const page = Number(new URL(request.url).searchParams.get("page"));
    await before(page);
    return listing(records.slice((page - 1) * PAGE_RECORDS, page * PAGE_RECORDS));
  };
}

const pages = (...numbers: number[]) => numbers.map((page) => `/acme?page=${page}`);

/** Counts all observations, and their distinct external ids. */
async function countObservations(sql: Sql): Promise<{ all: number; distinct: number }> {
  const [row] = await sql<[{ all: number; distinct: number }]>`
    select count(*) as all, count(distinct external_id) as distinct from observations
  `;
  return { ...row };
}

oneEngineTest("a run requests pages until one is not full", async ({ sql }) => {
  await using publisher = startPublisher(pagesOf(RECORDS));
  await schedule(sql, publisher, { source: "boards", target: "acme" });
  await runDueFeed(refreshContext(sql, publisher), NEVER);
  assert.deepEqual(publisher.asked, pages(1, 2, 3, 4, 5));
  const { last_outcome, last_counts, validators } = await readFeed(sql);
  assert.deepEqual([last_outcome, last_counts.recorded, validators], ["complete", 13, null]);
});

oneEngineTest("a run that was stopped continues at its checkpoint", async ({ sql }) => {
  const stop = new AbortController();
  await using publisher = startPublisher(pagesOf(RECORDS, (page) => {
    if (page === 3) stop.abort();
  }));
  await schedule(sql, publisher, { source: "boards", target: "acme" });
  const context = refreshContext(sql, publisher);
  assert.equal(await runDueFeed(context, stop.signal), true);
  const { lease_token, checkpoint, failures, last_outcome } = await readFeed(sql);
  assert.deepEqual([lease_token, failures, last_outcome], [null, 0, null]);
  assert.deepEqual(checkpoint, {
    request: { url: `${publisher.address}/acme?page=3` },
    requests: 2,
    counts: countsOf({ read: 6, recorded: 6 }),
  });
  assert.equal(await runDueFeed(context, NEVER), true);
  assert.deepEqual(publisher.asked, pages(1, 2, 3, 3, 4, 5));
  assert.deepEqual((await readFeed(sql)).last_counts, {
    ...countsOf({ read: 13, recorded: 13 }),
    gone: 0,
  });
});

oneEngineTest("a run starts over on request, and after the interval", async ({ sql }) => {
  let stop = new AbortController();
  await using publisher = startPublisher(pagesOf(RECORDS, (page) => {
    if (page === 3) stop.abort();
  }));
  const feed = { source: "boards", target: "acme" };
  await schedule(sql, publisher, { ...feed, interval_seconds: 60 });
  await runDueFeed(refreshContext(sql, publisher), stop.signal);
  await runFeedNow(sql, feed, false);
  stop = new AbortController();
  await runDueFeed(refreshContext(sql, publisher), stop.signal);
  const now = () => new Date(Date.now() + 61_000);
  await runDueFeed(refreshContext(sql, publisher, { now }), NEVER);
  assert.deepEqual(publisher.asked, pages(1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5));
});

oneEngineTest("a run starts over after a day, however long its interval is", async ({ sql }) => {
  const stop = new AbortController();
  await using publisher = startPublisher(pagesOf(RECORDS, (page) => {
    if (page === 2) stop.abort();
  }));
  const interval_seconds = 7 * 86_400;
  await schedule(sql, publisher, { source: "boards", target: "acme", interval_seconds });
  await runDueFeed(refreshContext(sql, publisher), stop.signal);
  const now = () => new Date(Date.now() + 86_401_000);
  await runDueFeed(refreshContext(sql, publisher, { now }), NEVER);
  assert.deepEqual(publisher.asked, pages(1, 2, 1, 2, 3, 4, 5));
});

oneEngineTest("a run stops without an outcome if its feed is changed or forbidden", async (t) => {
  const { sql } = t;
  const feed = { source: "boards", target: "acme" };
  await using publisher = startPublisher(pagesOf(RECORDS, async (page) => {
    if (page === 2) await unscheduleFeed(sql, feed);
  }));
  await schedule(sql, publisher, feed);
  assert.equal(await runDueFeed(refreshContext(sql, publisher), NEVER), true);
  assert.deepEqual(publisher.asked, pages(1, 2));
  assert.equal((await sql`select from source_feeds`).length, 0);

  // The first change sets the address of the source.
  const changes = [() => schedule(sql, publisher, feed), () => setSource(sql, "boards", false)];
  for (const change of changes) {
    publisher.answer = pagesOf(RECORDS, async (page) => void (page === 2 && await change()));
    await schedule(sql, publisher, feed);
    assert.equal(await runDueFeed(refreshContext(sql, publisher), NEVER), true);
    assert.equal((await readFeed(sql)).last_outcome, null);
  }
  assert.deepEqual(publisher.asked, pages(1, 2, 1, 2, 1, 2));
});

oneEngineTest(
  "a run that has lost its lease to another run does not store its outcome",
  async ({ sql }) => {
    const released = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    let isDelayed = true;
    await using publisher = startPublisher(pagesOf(RECORDS, async (page) => {
      if (page !== 2 || !isDelayed) return;
      isDelayed = false;
      requested.resolve();
      await released.promise;
    }));
    await schedule(sql, publisher, { source: "boards", target: "acme" });
    const slow = runDueFeed(refreshContext(sql, publisher), NEVER);
    await requested.promise;
    // The clock of the second run is 61 seconds ahead, so the lease of the first run has expired.
    const now = () => new Date(Date.now() + 61_000);
    assert.equal(await runDueFeed(refreshContext(sql, publisher, { now }), NEVER), true);
    const finished = await readFeed(sql);
    assert.equal(finished.last_outcome, "complete");
    released.resolve();
    assert.equal(await slow, true);
    assert.deepEqual(await readFeed(sql), finished);
    assert.deepEqual(await countObservations(sql), { all: 13, distinct: 13 });
  },
);

oneEngineTest("two workers share due feeds, but never run the same feed", async ({ sql }) => {
  const boards = ["one", "two", "three", "four"];
  let requested = 0;
  const both = Promise.withResolvers<void>();
  await using publisher = startPublisher(async ({ url }) => {
    const [, board] = new URL(url).pathname.split("/");
    // The first answer waits for the request of a second worker.
    if (++requested === 2) both.resolve();
    await both.promise;
    return listing([bulletin(`${board}/1`, { source: "boards" })]);
  });
  for (const [at, target] of boards.entries()) {
    const now = new Date(Date.now() - 60_000 * (at + 1));
    await schedule(sql, publisher, { source: "boards", target, now });
  }
  const worker = async () => {
    let runs = 0;
    while (await runDueFeed(refreshContext(sql, publisher), NEVER)) runs++;
    return runs;
  };
  const [first, second] = await Promise.all([worker(), worker()]);
  assert.equal(first + second, 4);
  assert.ok(first > 0 && second > 0);
  // The feeds that have been due longest come first.
  const asked = [publisher.asked.slice(0, 2).sort(), publisher.asked.slice(2).sort()];
  const [one, two, three, four] = boards.map((name) => `/${name}?page=1`);
  assert.deepEqual(asked, [[four, three], [one, two]]);
});

oneEngineTest("a source that is not permitted, or has no key, is never asked", async ({ sql }) => {
  await using publisher = startPublisher((request) =>
    request.headers.get("x-api-key") === "secret"
      ? listing([])
      : new Response(null, { status: 401 })
  );
  await schedule(sql, publisher);
  await schedule(sql, publisher, { source: "locked" });
  await setSource(sql, "bulletin", false);
  assert.equal(await runDueFeed(refreshContext(sql, publisher), NEVER), false);
  assert.deepEqual(publisher.asked, []);
  assert.equal(await runDueFeed(refreshContext(sql, publisher, { key: "secret" }), NEVER), true);
  assert.deepEqual(publisher.asked, ["/locked"]);
  const [locked] =
    await sql`select last_outcome from source_feeds where last_started_at is not null`;
  assert.equal(locked!.last_outcome, "complete");
});

oneEngineTest("scheduleFeed() accepts only valid targets of the source", async ({ sql }) => {
  const refusals = [
    ["filed", undefined, /read from files only/],
    ["boards", undefined, /a board's token/],
    ["boards", "A b", /a board's token/],
    ["bulletin", "x", /takes no TARGET/],
  ] as const;
  for (const [name, target, message] of refusals) {
    const feed = { interval_seconds: 60, target };
    await assert.rejects(scheduleFeed(sql, TEST_SOURCES.get(name)!, feed), message);
  }
  assert.equal((await sql`select from sources`).length, 0);
});

serverTest("another worker continues the run of a killed worker without duplicates", async (t) => {
  const { sql, url: DATABASE_URL } = t;
  const requested = Promise.withResolvers<void>();
  const dead = Promise.withResolvers<void>();
  let isDelayed = true;
  await using publisher = startPublisher(pagesOf(RECORDS, async (page) => {
    if (page !== 3 || !isDelayed) return;
    isDelayed = false;
    requested.resolve();
    await dead.promise;
  }));
  await schedule(sql, publisher, { source: "boards", target: "acme" });
  const flags = "--no-prompt --allow-net=127.0.0.1 --allow-read=node_modules --ignore-env " +
    "--allow-env=DATABASE_URL,ADDRESS";
  const worker = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags.split(" "), "test/support/refresh_process.ts"],
    env: { DATABASE_URL, ADDRESS: publisher.address },
  }).spawn();
  const ended = worker.status.then(({ code }) =>
    Promise.reject(new Error(`the worker ended: ${code}`))
  );
  await Promise.race([requested.promise, ended]);
  worker.kill("SIGKILL");
  await worker.status;
  dead.resolve();
  assert.deepEqual(await countObservations(sql), { all: 6, distinct: 6 });
  // Until the lease of the dead worker expires, other workers do not run its feed.
  assert.equal(await runDueFeed(refreshContext(sql, publisher), NEVER), false);
  await sql`update source_feeds set leased_until = now()`;
  assert.equal(await runDueFeed(refreshContext(sql, publisher), NEVER), true);
  assert.deepEqual(publisher.asked, pages(1, 2, 3, 3, 4, 5));
  assert.deepEqual(await countObservations(sql), { all: 13, distinct: 13 });
  const { last_outcome, last_counts } = await readFeed(sql);
  assert.equal(last_outcome, "complete");
  assert.deepEqual(last_counts, { ...countsOf({ read: 13, recorded: 13 }), gone: 0 });
});
