/** Promises about operations, each of which a single small mistake would break. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { Failure } from "../../src/failures.ts";
import type { Reply } from "../../src/operations/action.ts";
import { run } from "../../src/operations/run.ts";
import { drain, sweep } from "../../src/operations/worker.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type TestCaller } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  entryOf,
  fixedAction,
  LONG_WINDOW,
  runContext,
} from "../support/operations.ts";
import { actionsOf } from "../support/recovery.ts";

type Action = ReturnType<typeof fixedAction>;

const allowanceOf = (reply: Reply) =>
  (reply.body as { request_allowance: Record<string, number> }).request_allowance;

/** Makes a request with the key "k". `at` fixes the clock. */
function ask(
  sql: Sql,
  { caller }: TestCaller,
  { action, inputs = {}, at }: { action: Action; inputs?: object; at?: Date },
): Promise<Reply> {
  const now = at && (() => at);
  return run(runContext(sql, now), action, caller, () => ({ request_key: "k", inputs }));
}

databaseTest("an accepted request counts as used before it is finished", async ({ sql }) => {
  const who = await createCaller(sql, LONG_WINDOW);
  const action = fixedAction([]);
  const accepted = await ask(sql, who, { action, inputs: { background: true } });
  assert.equal(accepted.status, 202);
  assert.deepEqual(allowanceOf(accepted), {
    window_seconds: 604_800,
    window_remaining: 119,
    weekly_remaining: 1999,
  });
  await drain(runContext(sql), actionsOf(action));
  assert.deepEqual(allowanceOf(await ask(sql, who, { action })), allowanceOf(accepted));
  await assertSettled(sql);
});

databaseTest("sweep() keeps results for their retention, and codes for ever", async ({ sql }) => {
  const who = await createCaller(sql);
  const failing = await createCaller(sql);
  const at = new Date();
  await ask(sql, who, { action: fixedAction([]), at });
  const fails = fixedAction(() => Promise.reject(new Failure("invalid_plan")));
  await assert.rejects(ask(sql, failing, { action: fails, at }), { code: "invalid_plan" });
  const after = (milliseconds: number) => () => new Date(at.getTime() + milliseconds);
  const retention = 30 * 86_400_000;
  assert.equal((await sweep(runContext(sql, after(retention - 1)), 30)).retired, 0);
  assert.equal((await ask(sql, who, { action: fixedAction([]), at })).status, 200);
  assert.equal((await sweep(runContext(sql, after(retention)), 30)).retired, 2);
  await assert.rejects(ask(sql, failing, { action: fails, at }), { code: "invalid_plan" });
});

databaseTest(
  "run() gives a lease back if the database was unavailable during the work",
  async ({ sql }) => {
    const who = await createCaller(sql);
    const [one] = await record(sql, [{}]);
    let calls = 0;
    const action = fixedAction(() => {
      if (++calls === 1) return Promise.reject(new Failure("unavailable"));
      return Promise.resolve({ entries: [entryOf(one!)], facts: {} });
    });
    await assert.rejects(ask(sql, who, { action }), { code: "unavailable" });
    assert.equal((await ask(sql, who, { action })).status, 202);
    await sql`select pgmq.set_vt('operations', msg_id, 0) from pgmq.q_operations`;
    assert.equal(await drain(runContext(sql), actionsOf(action)), 1);
    assert.equal((await ask(sql, who, { action })).status, 200);
    assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
    await assertSettled(sql);
  },
);
