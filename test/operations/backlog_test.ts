/** Background work of several accounts: turns, and a bound of what waits for each. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { drain } from "../../src/operations/worker.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type TestCaller } from "../support/factories.ts";
import { countRows } from "../support/operations.ts";

/** Queues searches of a caller. Returns the statuses and codes of the answers. */
async function queueSearches(
  { search }: Pick<TestApp, "search">,
  { key }: TestCaller,
  count: number,
): Promise<string[]> {
  const answers = [];
  for (let n = 0; n < count; n++) {
    const inputs = { query: "freezer warehouse", background: true };
    const { status, body } = await search(inputs, { key, request_key: `job-${n}` });
    answers.push(`${status} ${body.error?.code ?? body.usage.status}`);
  }
  return answers;
}

/** Returns the accounts of all settlements, in their order. */
async function readServed(sql: Sql): Promise<number[]> {
  const rows = await sql<{ account_id: number }[]>`
    select o.account_id from ledger l join operations o on o.id = l.operation_id order by l.id
  `;
  return rows.map(({ account_id }) => account_id);
}

databaseTest(
  "a job starts after at most one of an account with many jobs",
  async ({ db, sql }) => {
    const [busy, other] = [await createCaller(sql), await createCaller(sql)];
    await record(sql, [{ observed_fact: "A freezer warehouse opens." }]);
    await withApp(db, async ({ app, search }) => {
      await queueSearches({ search }, busy, 60);
      const work = () => drain(app.context, app.actions.metered);
      await work();
      await queueSearches({ search }, other, 2);
      for (let n = 0; n < 5; n++) await work();
      const [a, b] = [busy.account_id, other.account_id];
      assert.deepEqual(await readServed(sql), [a, b, a, b, a, a]);
    });
  },
);

databaseTest(
  "an account with 100 waiting jobs is refused further ones, and nothing is stored for them",
  async ({ db, sql }) => {
    const busy = await createCaller(sql, {
      terms: { request_units: 1_000, delivered_units: 100_000, weekly_delivered_units: 100_000 },
    });
    const other = await createCaller(sql);
    await withApp(db, async ({ app, search }) => {
      const answers = await queueSearches({ search }, busy, 101);
      assert.deepEqual(new Set(answers.slice(0, 100)), new Set(["202 pending"]));
      assert.equal(answers[100], "429 too_many_requests");
      assert.deepEqual(await countRows(sql), { operations: 100, settlements: 0, messages: 100 });
      const now = Date.now();
      const inputs = { query: "freezer warehouse", background: true };
      const refused = await search(inputs, { key: busy.key, request_key: "one more" });
      assert.equal(refused.headers.get("retry-after"), "10");
      assert.ok(Math.abs(Date.parse(refused.body.error.retry_at) - now - 10_000) < 8_000);
      // Searches that are answered at once, earlier keys and other accounts are not affected.
      const direct = await search({ query: "x" }, { key: busy.key, request_key: "direct" });
      assert.equal(direct.status, 200);
      assert.deepEqual(await queueSearches({ search }, busy, 1), ["202 pending"]);
      assert.deepEqual(await queueSearches({ search }, other, 1), ["202 pending"]);
      await drain(app.context, app.actions.metered);
      const later = await search(inputs, { key: busy.key, request_key: "one more" });
      assert.equal(later.status, 202);
      // An operation that a worker performs at present does not wait.
      await sql`
        update operations set
          status = 'processing',
          lease_token = gen_random_uuid(),
          lease_expires_at = now() + interval '1 minute'
        where request_key = 'job-99' and account_id = ${busy.account_id}
      `;
      const next = await search(inputs, { key: busy.key, request_key: "in its place" });
      assert.equal(next.status, 202);
    });
  },
);
