import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import type { FetchBounds } from "../../../src/ingest/fetch/fetcher.ts";
import type { RefreshContext } from "../../../src/ingest/refresh/context.ts";
import { runDueFeed } from "../../../src/ingest/refresh/refresher.ts";
import { oneEngineTest } from "../../support/database.ts";
import {
  bulletin,
  listing,
  NEVER,
  readFeed,
  refreshContext,
  schedule,
  startPublisher,
} from "../../support/publisher.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 7, 1) + seconds * 1000);

/** Returns the seconds from `then` until the feed is due again. */
async function pauseAfter(sql: Sql, then: Date): Promise<number> {
  return ((await readFeed(sql)).due_at.getTime() - then.getTime()) / 1000;
}

oneEngineTest(
  "each failure doubles the back-off, up to 16 intervals",
  async ({ sql }) => {
    let seconds = 0;
    let answer = () => new Response("busy", { status: 500 });
    await using publisher = startPublisher(() => answer());
    await schedule(sql, publisher, { interval_seconds: 300, now: at(0) });
    const context = refreshContext(sql, publisher, { now: () => at(seconds) });
    const pauses = [60, 120, 240, 480, 960, 1_920, 3_840, 4_800, 4_800];
    for (const [index, pause] of pauses.entries()) {
      const failures = index + 1;
      assert.equal(await runDueFeed(context, NEVER), true);
      const feed = await readFeed(sql);
      assert.deepEqual(
        [feed.failures, feed.last_outcome, feed.lease_token],
        [failures, "failed", null],
      );
      assert.match(feed.last_error, /500/);
      assert.equal(await pauseAfter(sql, at(seconds)), pause);
      assert.equal(await runDueFeed(context, NEVER), false);
      seconds += pause;
    }
    answer = () => listing([bulletin("a")]);
    await runDueFeed(context, NEVER);
    const { failures, last_outcome, last_error } = await readFeed(sql);
    assert.deepEqual([failures, last_outcome, last_error], [0, "complete", null]);
    assert.equal(await pauseAfter(sql, at(seconds)), 300);
  },
);

oneEngineTest(
  "a feed that keeps failing is asked once per 7 days, or per interval if it is longer",
  async (t) => {
    const { sql } = t;
    await using publisher = startPublisher(() => new Response(null, { status: 404 }));
    const days = 86_400;
    for (const [interval_seconds, pause] of [[days, 7 * days], [9 * days, 9 * days]] as const) {
      await schedule(sql, publisher, { interval_seconds, now: at(0) });
      await sql`update source_feeds set failures = 30, due_at = ${at(0)}`;
      await runDueFeed(refreshContext(sql, publisher, { now: () => at(0) }), NEVER);
      assert.equal(await pauseAfter(sql, at(0)), pause);
    }
  },
);

oneEngineTest("a source with Retry-After is not asked before that time", async (t) => {
  const { sql } = t;
  await using publisher = startPublisher(() =>
    new Response(null, { status: 429, headers: { "retry-after": "7200" } })
  );
  await schedule(sql, publisher);
  const before = Date.now();
  await runDueFeed(refreshContext(sql, publisher), NEVER);
  const { due_at, last_error } = await readFeed(sql);
  assert.ok(due_at.getTime() >= before + 7_190_000 && due_at.getTime() <= Date.now() + 7_200_000);
  assert.match(last_error, /429/);
  // The pause is a day at most, whatever the source requests.
  await sql`update source_feeds set due_at = now()`;
  publisher.answer = () =>
    new Response(null, { status: 429, headers: { "retry-after": "31536000" } });
  await runDueFeed(refreshContext(sql, publisher), NEVER);
  assert.ok((await readFeed(sql)).due_at.getTime() <= Date.now() + 86_400_000);
});

oneEngineTest("a source that does not answer in time counts as a failure", async ({ sql }) => {
  const never = Promise.withResolvers<Response>();
  await using publisher = startPublisher(() => never.promise);
  await schedule(sql, publisher);
  const context = bounded(refreshContext(sql, publisher), { milliseconds: 200 });
  await runDueFeed(context, NEVER);
  never.resolve(new Response());
  const { failures, last_error } = await readFeed(sql);
  assert.equal(failures, 1);
  assert.match(last_error, /time/);
});

/** Returns the context with tighter bounds of fetches. */
function bounded(context: RefreshContext, tighter: Partial<FetchBounds>): RefreshContext {
  const { fetcher } = context;
  return {
    ...context,
    fetcher: {
      fetch: (request, bounds, signal) => fetcher.fetch(request, { ...bounds, ...tighter }, signal),
    },
  };
}

oneEngineTest(
  "a failed run keeps its records, and a checkpoint if the failure is temporary",
  async ({ sql }) => {
    let status = 503;
    const page = (n: number) =>
      listing([1, 2, 3].map((k) => bulletin(`acme/${n}-${k}`, { source: "boards" })));
    await using publisher = startPublisher(({ url }) => {
      const n = Number(new URL(url).searchParams.get("page"));
      return n < 3 ? page(n) : new Response(null, { status });
    });
    await schedule(sql, publisher, { source: "boards", target: "acme" });
    await runDueFeed(refreshContext(sql, publisher), NEVER);
    assert.equal((await sql`select from observations`).length, 6);
    assert.equal((await readFeed(sql)).checkpoint.requests, 2);
    // A missing page is not a temporary failure, so the next run starts at the first page.
    status = 404;
    await sql`update source_feeds set due_at = now()`;
    await runDueFeed(refreshContext(sql, publisher), NEVER);
    const { checkpoint, run_started_at, failures } = await readFeed(sql);
    assert.deepEqual([checkpoint, run_started_at, failures], [null, null, 2]);
  },
);

oneEngineTest("a failed run hides no record", async ({ sql }) => {
  let answer = () => listing([bulletin("a"), bulletin("b")]);
  await using publisher = startPublisher(() => answer());
  await schedule(sql, publisher);
  await runDueFeed(refreshContext(sql, publisher), NEVER);
  // The answer contains one of the two records, and then exceeds the max length of an answer.
  answer = () => new Response(JSON.stringify(bulletin("a")) + "\n" + " ".repeat(2_000_000));
  await sql`update source_feeds set due_at = now()`;
  await runDueFeed(refreshContext(sql, publisher), NEVER);
  assert.equal((await readFeed(sql)).last_outcome, "failed");
  assert.equal((await sql`select from deliverable_observations`).length, 2);
});

oneEngineTest(
  "errors and logs contain neither the key nor the answer of a source",
  async ({ sql }) => {
    const lines: string[] = [];
    const say = (message: string, fields?: object) =>
      void lines.push(`${message} ${JSON.stringify(fields)}`);
    await using publisher = startPublisher(() => new Response("secret", { status: 403 }));
    await schedule(sql, publisher, { source: "locked" });
    const context = refreshContext(sql, publisher, { key: "secret" });
    await runDueFeed({ ...context, log: { debug: say, info: say, warn: say, error: say } }, NEVER);
    const { last_error } = await readFeed(sql);
    assert.match(last_error, /403/);
    assert.equal(lines.length, 1);
    assert.ok(![...lines, last_error].join().includes("secret"));
  },
);
