import assert from "node:assert/strict";
import { setPlan } from "../../src/accounts/account.ts";
import { createApiKey } from "../../src/accounts/key.ts";
import { databaseTest } from "../support/database.ts";
import { withApp } from "../support/app.ts";
import { createCaller, record } from "../support/factories.ts";

databaseTest(
  "reads above the plan's rate are refused until the minute ends",
  async ({ db, sql }) => {
    const { key, account_id } = await createCaller(sql, { terms: { reads_per_minute: 3 } });
    const { key: second } = await createApiKey(sql, { account_id, name: "second" });
    const other = await createCaller(sql);
    const minute = Math.ceil(Date.now() / 60_000) * 60_000;
    let now = new Date(minute + 20_000);
    await withApp(db, async ({ ask }) => {
      for (const one of [key, second, second]) {
        assert.equal((await ask("/api/usage", { key: one })).status, 200);
      }
      const { status, headers, body } = await ask("/api/companies/1", { key });
      const { code, message, retry_at } = body.error;
      assert.deepEqual([status, code], [429, "too_many_requests"]);
      assert.equal(headers.get("retry-after"), "40");
      assert.match(message, /reads in this minute/);
      assert.equal(retry_at, new Date(minute + 60_000).toISOString());
      assert.equal((await ask("/api/usage", { key: other.key })).status, 200);
      // A changed plan applies from the next minute on.
      await setPlan(sql, "builder", { reads_per_minute: 1 });
      now = new Date(minute + 60_000);
      assert.equal((await ask("/api/usage", { key })).status, 200);
      assert.equal((await ask("/api/usage", { key })).status, 429);
    }, { now: () => now });
  },
);

databaseTest("reads of what was delivered in the last hour do not count", async ({ db, sql }) => {
  const { key } = await createCaller(sql, { terms: { reads_per_minute: 2 } });
  const [sold, unsold] = await record(sql, [
    { observed_fact: "A freezer warehouse opens." },
    { observed_fact: "A bakery hires drivers." },
  ]);
  const start = new Date();
  let now = start;
  await withApp(db, async ({ ask, search }) => {
    const found = await search({ query: "freezer warehouse" }, { key, request_key: "k" });
    assert.deepEqual([found.status, found.body.companies.length], [200, 1]);
    const statuses = async ({ company_id, observation_id }: typeof sold & object) => [
      (await ask(`/api/companies/${company_id}`, { key })).status,
      (await ask(`/api/observations/${observation_id}`, { key })).status,
    ];
    const usage = async () => (await ask("/api/usage", { key })).status;
    assert.deepEqual(await statuses(sold!), [200, 200]);
    assert.deepEqual(await Promise.all([usage(), usage()]), [200, 200]);
    assert.equal(await usage(), 429);
    assert.deepEqual(await statuses(sold!), [200, 200]);
    assert.deepEqual(await statuses(unsold!), [429, 429]);
    for (const [minutes, status] of [[59, 200], [61, 429]] as const) {
      now = new Date(start.getTime() + minutes * 60_000);
      assert.deepEqual(await Promise.all([usage(), usage()]), [200, 200]);
      assert.deepEqual(await statuses(sold!), [status, status]);
    }
  }, { now: () => now });
});
