/** Accepted work outlasts temporary faults of the database, and they make no message poison. */
import assert from "node:assert/strict";
import { Failure } from "../../src/failures.ts";
import { claim } from "../../src/operations/claim.ts";
import { drain, sweep } from "../../src/operations/worker.ts";
import { alterFunction } from "../support/alter_function.ts";
import { databaseTest, serverTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { assertSettled, countRows, fixedAction, runContext } from "../support/operations.ts";
import { actionsOf, ask, inBackground, readState, show, whileLocked } from "../support/recovery.ts";

/** Performs all visible work. Returns the number of messages. */
async function drainAll(...work: Parameters<typeof drain>): Promise<number> {
  for (let count = 0;; count++) if (await drain(...work) === 0) return count;
}

serverTest("a locked allowance delays only its own work, and fails none of it", async (t) => {
  const { sql, url } = t;
  const locked = await createCaller(sql);
  const free = await createCaller(sql);
  for (const key of ["1", "2"]) await ask(sql, locked, key, inBackground);
  await ask(sql, free, "3", inBackground);
  const actions = actionsOf(fixedAction([]));
  await alterFunction(sql, "settle_operation", "set lock_timeout = '250ms'");
  await whileLocked(url, locked, async () => {
    for (let n = 0; n < 2; n++) assert.equal(await drain(runContext(sql), actions), 1);
    assert.deepEqual(await readState(sql), [["pending", 0], ["pending", 0], ["delivered", null]]);
    for (let round = 0; round < 8; round++) {
      await show(sql);
      assert.equal(await drain(runContext(sql), actions), 1);
    }
    assert.deepEqual((await readState(sql)).slice(0, 2), Array(2).fill(["pending", 0]));
  });
  await show(sql);
  assert.equal(await drainAll(runContext(sql), actions), 2);
  assert.deepEqual(await countRows(sql), { operations: 3, settlements: 3, messages: 0 });
  await assertSettled(sql);
});

serverTest("a read that meets a locked operation does not count", async ({ sql }) => {
  const who = await createCaller(sql);
  await ask(sql, who, "k", inBackground);
  await sql.begin(async (tx) => {
    await tx`select from operations for update`;
    for (let round = 0; round < 6; round++) {
      await show(sql);
      assert.equal(await drain(runContext(sql), actionsOf(fixedAction([]))), 1);
      assert.deepEqual(await readState(sql), [["pending", 0]]);
    }
  });
  await show(sql);
  await drain(runContext(sql), actionsOf(fixedAction([])));
  assert.equal((await ask(sql, who, "k")).status, 200);
  await assertSettled(sql);
});

databaseTest(
  "interrupted work backs off, and its reads do not count",
  async (t) => {
    const { sql } = t;
    const who = await createCaller(sql);
    await ask(sql, who, "k", inBackground);
    const unavailable = actionsOf(fixedAction(() => Promise.reject(new Failure("unavailable"))));
    for (let round = 0; round < 8; round++) {
      await show(sql);
      assert.equal(await drain(runContext(sql), unavailable), 1);
      assert.deepEqual(await readState(sql), [["pending", 0]]);
    }
    const pauses = await sql`
    select back_off_seconds(o, o.claimed_at + make_interval(secs => age)) as seconds
    from operations o, unnest(array[0, 2, 4, 8, 12, 20, 60, 800]) age
  `;
    assert.deepEqual(pauses.map(({ seconds }) => seconds), [1, 1, 1, 2, 3, 5, 5, 5]);
    await show(sql);
    await drain(runContext(sql), actionsOf(fixedAction([])));
    await assertSettled(sql);
  },
);

databaseTest("a read_ct that another reader has raised makes a message poison", async ({ sql }) => {
  const who = await createCaller(sql);
  await ask(sql, who, "poison", inBackground);
  await ask(sql, who, "next", inBackground);
  await sql`update pgmq.q_operations set read_ct = 5 where msg_id = 1`;
  assert.equal(await drainAll(runContext(sql), actionsOf(fixedAction([]))), 2);
  await assert.rejects(ask(sql, who, "poison"), { code: "usage_failed" });
  assert.equal((await ask(sql, who, "next")).status, 200);
  await assertSettled(sql);
});

/** JSON values that do not identify an operation. */
const NO_OPERATIONS = [
  ...["null", "7", "-1.5e300", "1e400", "true", '"text"', '""', "[]", "[[[]]]", '["operation_id"]'],
  ...["{}", '{"operation_id": null}', '{"operation_id": "1"}', '{"operation_id": [1]}'],
  ...['{"operation_id": {"operation_id": 1}}', '{"operation_id": 1.5}', '{"operation_id": -1}'],
  ...[`{"operation_id": ${"9".repeat(400)}}`, '{"operation_id": 999999999}'],
  ...["[".repeat(500) + "]".repeat(500)],
];

databaseTest("any JSON value leaves the queue, and the worker continues", async ({ sql }) => {
  const who = await createCaller(sql);
  for (const text of NO_OPERATIONS) {
    await sql`select pgmq.send('operations', ${text}::text::jsonb)`;
  }
  await ask(sql, who, "k", inBackground);
  const count = NO_OPERATIONS.length;
  assert.equal(await drainAll(runContext(sql), actionsOf(fixedAction([]))), count + 1);
  assert.equal((await ask(sql, who, "k")).status, 200);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  const archived = await sql`select from pgmq.a_operations`;
  assert.equal(archived.length, count);
  await assertSettled(sql);
});

serverTest("sweep() skips locked allowances and processes the rest", async (t) => {
  const { sql, url } = t;
  const locked = await createCaller(sql);
  const free = await createCaller(sql);
  await ask(sql, locked, "1", inBackground);
  await ask(sql, free, "2", inBackground);
  await claim(runContext(sql), {
    action: fixedAction([]),
    caller: free.caller,
    request_key: "3",
    request: { inputs: { query: "q", limit: 1 }, cursor: null, background: false },
    deadline_seconds: 10_000,
  });
  const later = runContext(sql, () => new Date(Date.now() + 901_000));
  await whileLocked(url, locked, async () => {
    assert.deepEqual(await sweep(later, 30), { expired: 1, taken_over: 1, retired: 0 });
  });
  assert.deepEqual(await sweep(later, 30), { expired: 1, taken_over: 0, retired: 0 });
  assert.equal(await drainAll(runContext(sql), actionsOf(fixedAction([]))), 1);
  await assertSettled(sql);
});

serverTest("sweep() does not wait for locked allowances, however many there are", async (t) => {
  const { sql, url } = t;
  const LOCKED = 40;
  // Less than the sum of a lock time-out (250 ms) for each locked allowance, and far more than a
  // sweep takes on a busy machine.
  const WAIT_MILLISECONDS = 5_000;
  const locked = [];
  for (let n = 0; n < LOCKED; n++) {
    const who = await createCaller(sql);
    await ask(sql, who, `locked ${n}`, inBackground);
    locked.push(who);
  }
  // The free subscription is the last one in the order of the sweep.
  const free = await createCaller(sql);
  await ask(sql, free, "free", inBackground);
  const later = runContext(sql, () => new Date(Date.now() + 901_000));
  await whileLocked(url, locked, async () => {
    const started = performance.now();
    assert.deepEqual(await sweep(later, 30), { expired: 1, taken_over: 0, retired: 0 });
    const waited = performance.now() - started;
    assert.ok(waited < WAIT_MILLISECONDS, `${waited} ms`);
  });
  assert.deepEqual(await sweep(later, 30), { expired: LOCKED, taken_over: 0, retired: 0 });
  await assertSettled(sql);
});

databaseTest("an operation with an unknown action stays in the queue", async ({ sql }) => {
  const who = await createCaller(sql);
  await ask(sql, who, "k", inBackground);
  for (let round = 0; round < 7; round++) {
    await show(sql);
    assert.equal(await drain(runContext(sql), new Map()), 1);
  }
  assert.deepEqual(await readState(sql), [["pending", 0]]);
});
