/** Hostnames that several accounts request: turns, bounds, and requests at the same time. */
import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import type { FetchBounds } from "../../../src/ingest/fetch/fetcher.ts";
import {
  refreshNextHostname,
  removeOldRefreshes,
} from "../../../src/ingest/refresh/run_hostname.ts";
import { setSourceTerms } from "../../../src/ingest/refresh/schedule.ts";
import type { Source } from "../../../src/ingest/sources/kit/source.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { oneEngineTest } from "../../support/database.ts";
import { createCaller, type TestCaller } from "../../support/factories.ts";
import {
  listing,
  NEVER,
  type Publisher,
  refreshContext,
  startPublisher,
  TEST_SOURCES,
} from "../../support/publisher.ts";

const DAY_SECONDS = 86_400;

async function prepare(sql: Sql, { address }: Publisher): Promise<void> {
  await setSourceTerms(sql, TEST_SOURCES.get("bulletin")!, {
    address,
    hostname_interval_seconds: DAY_SECONDS,
  });
}

/** Lists observations of hostnames that the dataset does not cover. */
async function listUnknown(
  { ask }: Pick<TestApp, "ask">,
  { key }: TestCaller,
  hostnames: readonly string[],
): Promise<void> {
  const path = "/api/observations?since=2020-01-01T00:00:00Z&" +
    hostnames.map((hostname) => `domains[]=${hostname}`).join("&");
  const { status } = await ask(path, { key, request_key: hostnames[0]! });
  assert.equal(status, 200);
}

const inventHostnames = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}.example`);

oneEngineTest(
  "an account has at most 200 hostnames in the queue, and others have their turn",
  async ({ db, sql }) => {
    const [busy, other] = [await createCaller(sql), await createCaller(sql)];
    await using publisher = startPublisher(() => listing([]));
    await prepare(sql, publisher);
    await withApp(db, async (app) => {
      for (let n = 0; n < 4; n++) await listUnknown(app, busy, inventHostnames(`busy${n}-`, 100));
      const queued = async () => {
        const [row] = await sql<[{ messages: number; notes: number }]>`
          select
            (select count(*) from pgmq.q_refreshes) as messages,
            (select count(*) from hostname_refreshes) as notes
        `;
        return { ...row };
      };
      assert.deepEqual(await queued(), { messages: 200, notes: 200 });
      const context = refreshContext(sql, publisher);
      await listUnknown(app, other, ["other.example"]);
      await refreshNextHostname(context, NEVER);
      await refreshNextHostname(context, NEVER);
      assert.deepEqual(publisher.asked, ["/companies/busy0-0.example", "/companies/other.example"]);
      // A later request queues what had no room before.
      assert.deepEqual(await queued(), { messages: 199, notes: 201 });
      await listUnknown(app, busy, ["busy3-50.example", "busy3-51.example"]);
      assert.deepEqual(await queued(), { messages: 200, notes: 202 });
    });
  },
);

oneEngineTest("a hostname is requested for at most 10 seconds", async ({ sql }) => {
  const { account_id } = await createCaller(sql);
  await using publisher = startPublisher(() => listing([]));
  await prepare(sql, publisher);
  await sql`select queue_refreshes(${account_id}, ${["a.example"]}, now())`;
  const context = refreshContext(sql, publisher);
  const bounds: FetchBounds[] = [];
  await refreshNextHostname({
    ...context,
    fetcher: {
      fetch(request, bound, signal) {
        bounds.push(bound);
        return context.fetcher.fetch(request, bound, signal);
      },
    },
  }, NEVER);
  assert.deepEqual(bounds.map(({ milliseconds }) => milliseconds), [10_000]);
  assert.deepEqual(publisher.asked, ["/companies/a.example"]);
});

oneEngineTest("several hostnames are requested at once", async ({ db, sql }) => {
  const { account_id } = await createCaller(sql);
  const { promise: all, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  // Each answer waits until four requests have arrived, so one at a time would never be answered.
  const answer = async () => {
    if (++waiting === 4) resolve();
    await all;
    return listing([]);
  };
  const publishers = Array.from({ length: 4 }, () => startPublisher(answer));
  await using stack = new AsyncDisposableStack();
  for (const publisher of publishers) stack.use(publisher);
  await prepare(sql, publishers[0]!);
  const bulletin = TEST_SOURCES.get("bulletin")!;
  const source: Source = {
    ...bulletin,
    remote: {
      ...bulletin.remote!,
      // Each hostname is a host of its own, as in the source of home pages.
      hostname: (_, hostname) => ({ url: `${publishers[Number(hostname[1])]!.address}/` }),
    },
  };
  await sql`select queue_refreshes(${account_id}, ${inventHostnames("h", 4)}, now())`;
  await withApp(db, () => all, {
    workers: 1,
    sources: new Map([["bulletin", source]]),
    env: { FETCH_OPEN_ADDRESSES: publishers.map(({ address }) => new URL(address).host).join() },
  });
});

oneEngineTest("removeOldRefreshes() removes notes whose interval has passed", async ({ sql }) => {
  const { account_id } = await createCaller(sql);
  await using publisher = startPublisher(() => listing([]));
  await prepare(sql, publisher);
  const now = new Date("2026-03-10T12:00:00Z");
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  await sql`select queue_refreshes(${account_id}, ${["old.example"]}, ${before(DAY_SECONDS)})`;
  await sql`select queue_refreshes(${account_id}, ${["new.example"]}, ${before(DAY_SECONDS - 1)})`;
  assert.equal(await removeOldRefreshes({ sql, now: () => now }), false);
  const kept = await sql`select hostname from hostname_refreshes`;
  assert.deepEqual([...kept], [{ hostname: "new.example" }]);
  await sql`update sources set hostname_refresh_interval = null`;
  await removeOldRefreshes({ sql, now: () => now });
  assert.equal((await sql`select from hostname_refreshes`).length, 0);
});
