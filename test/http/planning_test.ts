import assert from "node:assert/strict";
import { createLog } from "../../src/log.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { createDataDir, postSearch, withDataDir } from "../support/data_dir.ts";
import { type Service, startService } from "../support/service.ts";
import { untilEnded } from "../support/waiting.ts";
import { checkedTest, startRawHost } from "../support/web.ts";

oneEngineTest("a replay keeps the time range of its first performance", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const start = Date.now();
  const days = (count: number) => new Date(start + count * 86_400_000);
  const [older, newer] = await record(
    sql,
    [-50, -30].map((count) => ({
      observed_fact: "A crane is wanted.",
      occurred_at: days(count).toISOString(),
    })),
  );
  let now = days(0);
  await withApp(db, async ({ search }) => {
    const ids = async (request_key: string, more = {}) => {
      const body = { query: "crane past 60 days", limit: 1, ...more };
      const answer = await search(body, { key, request_key });
      assert.equal(answer.status, 200);
      const { companies, next_cursor } = answer.body;
      return { ids: companies.map(({ id }: { id: number }) => id), cursor: next_cursor };
    };
    const first = await ids("k1");
    assert.deepEqual(first.ids, [older!.company_id]);
    now = days(20);
    assert.deepEqual(await ids("k1"), first);
    assert.deepEqual((await ids("k2", { cursor: first.cursor })).ids, [newer!.company_id]);
    assert.deepEqual((await ids("k3")).ids, [newer!.company_id]);
  }, { now: () => now });
});

oneEngineTest("no log line contains a word of a query, at any level", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  for (const level of ["debug", "info"] as const) {
    const lines: string[] = [];
    const log = createLog(level, (line) => lines.push(line));
    await withApp(db, async ({ search }) => {
      const query = 'unheard "quoted cranes" not concrete in Canada unheard.example';
      const { status } = await search({ query }, { key, request_key: level });
      assert.equal(status, 200);
    }, { log });
    assert.ok(lines.length > 0);
    for (const line of lines) assert.doesNotMatch(line, /unheard|quoted|crane|concrete/);
  }
});

checkedTest(
  "`start` stops in time, and a search that waits for a plan does not fail",
  () =>
    withDataDir(async (DATA_DIR) => {
      const key = await createDataDir(DATA_DIR);
      const heard = Promise.withResolvers<void>();
      await using mute = startRawHost(({ hungUp }) => {
        heard.resolve();
        return hungUp;
      });
      const env = { DATA_DIR, PLANNER_URL: mute.url, PLANNER_MODEL: "planner-1" };
      await using service = await startService({ env });
      const search = (asked: Service) =>
        postSearch(asked, { key, request_key: "k", query: "cold storage" });
      const waiting = search(service);
      await heard.promise;
      const started = Date.now();
      await service.stop();
      assert.ok(Date.now() - started < 13_000, `${Date.now() - started}`);
      const { status, body } = await waiting;
      assert.deepEqual([status, body.error.code], [503, "unavailable"]);
      assert.ok(!service.stderr.includes("work still open"), service.stderr);

      await using again = await startService({ env: { DATA_DIR } });
      const answer = await untilEnded(() => search(again));
      assert.deepEqual([answer.status, answer.body.usage.status], [200, "delivered"]);
      await again.stop();
    }),
);
