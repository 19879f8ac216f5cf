/** Leases after a restart of the process that owns the embedded database. */
import assert from "node:assert/strict";
import type { Database, Sql } from "../../src/db/connect.ts";
import { openDatabase } from "../../src/db/migrate.ts";
import { claim, isLease } from "../../src/operations/claim.ts";
import { settle } from "../../src/operations/run.ts";
import { drain } from "../../src/operations/worker.ts";
import type { MeteredAction } from "../../src/operations/action.ts";
import { createCaller } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  fixedAction,
  runContext,
  silent,
} from "../support/operations.ts";
import { runCommand } from "../support/command.ts";
import { createDataDir, postSearch, withDataDir } from "../support/data_dir.ts";
import { type Service, startService } from "../support/service.ts";
import { eventually } from "../support/waiting.ts";
import { checkedTest, startRawHost } from "../support/web.ts";

const open = (data_dir: string, borrow = false): Promise<Database> =>
  openDatabase({ data_dir, borrow, log: silent });

async function countLeases(sql: Sql) {
  const [row] = await sql`
    select
      (select count(*) from operations where lease_token is not null) as operations,
      (select count(*) from source_feeds where lease_token is not null) as feeds,
      (select count(*) from embedding_models where lease_token is not null) as embeddings
  `;
  return { ...row };
}

checkedTest(
  "openDatabase() ends the leases of a dead owner, but not those of a live one",
  () =>
    withDataDir(async (data_dir) => {
      const action = fixedAction([]);
      const first = await open(data_dir);
      const { caller } = await createCaller(first.sql);
      const claimed = await claim(runContext(first.sql), {
        action,
        caller,
        request_key: "k",
        request: { inputs: { query: "q", limit: 1 }, cursor: null, background: false },
        deadline_seconds: 900,
      });
      assert.ok(isLease(claimed));
      await first.sql`select register_source('feed')`;
      await first.sql`select schedule_feed('feed', '', 3600, null, now())`;
      await first.sql`select lease_feed(array['feed'], gen_random_uuid(), 60, now())`;
      await first.sql`
        insert into embedding_models (name, format, dimensions, lease_token, leased_until)
        values ('model', 1, 2, gen_random_uuid(), now() + interval '5 minutes')
      `;
      const leases = { operations: 1, feeds: 1, embeddings: 1 };
      const borrower = await open(data_dir, true);
      assert.equal(borrower.kind, "borrowed");
      assert.deepEqual(await countLeases(borrower.sql), leases);
      await borrower.close();
      // The owner closes without ending its leases, as if it had died.
      await first.close();

      const second = await open(data_dir);
      const { sql } = second;
      assert.deepEqual(await countLeases(sql), { operations: 0, feeds: 0, embeddings: 0 });
      const actions = new Map([["search_companies", action as unknown as MeteredAction]]);
      assert.equal(await drain(runContext(sql), actions), 1);
      const late = { action, lease: claimed, caller, limit: 1, work: { entries: [], facts: {} } };
      assert.equal((await settle(runContext(sql), late)).outcome, "overtaken");
      assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
      await assertSettled(sql);
      await second.close();
    }),
);

Deno.test("an operation that has killed five processes is poison, and other work continues", () =>
  withDataDir(async (DATA_DIR) => {
    const key = await createDataDir(DATA_DIR);
    // The process is killed while it waits for this planner.
    await using planner = startRawHost(({ hungUp }) => hungUp);
    const deadly = { DATA_DIR, PLANNER_URL: planner.url, PLANNER_MODEL: "planner-1" };
    const ask = (service: Service, request_key: string) =>
      postSearch(service, { key, request_key, query: "cold storage", background: true });
    await using doomed = await startService({ env: deadly });
    assert.equal((await ask(doomed, "deadly")).status, 202);
    await eventually("read", () => Promise.resolve(planner.heard.length === 1));
    await doomed.kill("SIGKILL");
    const killed = await open(DATA_DIR);
    // Four further kills would raise the count by one each.
    const reads = await killed.sql`
      update pgmq.q_operations set read_ct = read_ct + 4 returning read_ct`;
    assert.deepEqual([...reads], [{ read_ct: 5 }]);
    await killed.close();
    await using service = await startService({ env: { DATA_DIR } });
    await eventually("poison", async () => (await ask(service, "deadly")).status === 422);
    assert.equal((await ask(service, "deadly")).body.error.code, "usage_failed");
    await eventually("delivered", async () => (await ask(service, "next")).status === 200);
    const usage = await runCommand(["admin", "usage", "verify"], { DATA_DIR });
    assert.equal(usage.code, 0, usage.stderr);
    const db = await open(DATA_DIR, true);
    await assertSettled(db.sql);
    assert.equal((await db.sql`select from pgmq.a_operations`).length, 1);
    await db.close();
    await service.stop();
  }));
