import assert from "node:assert/strict";
import { createLog } from "../../src/log.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";

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
