import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { Failure } from "../../src/failures.ts";
import type { MeteredAction, Reply, Work } from "../../src/operations/action.ts";
import { claim, isLease, OPERATION_LEASE_SECONDS } from "../../src/operations/claim.ts";
import { readOperation } from "../../src/operations/answer.ts";
import { run, settle } from "../../src/operations/run.ts";
import { consume, drain, sweep } from "../../src/operations/worker.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type TestCaller } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  entryOf,
  fixedAction,
  LONG_WINDOW,
  runContext,
  takeAt,
} from "../support/operations.ts";
import { actionsOf } from "../support/recovery.ts";
import { eventually } from "../support/waiting.ts";

const usage = (reply: Reply) => (reply.body as { usage: { id: number; status: string } }).usage;

function ask(sql: Sql, who: TestCaller, action: MeteredAction<never>, inputs: object = {}) {
  return run(
    runContext(sql),
    action as unknown as MeteredAction,
    who.caller,
    () => ({ request_key: "k", inputs }),
  );
}

databaseTest(
  "drain() performs background work, and retries then get its result",
  async ({ sql }) => {
    const who = await createCaller(sql, LONG_WINDOW);
    const [one] = await record(sql, [{}]);
    const action = fixedAction([entryOf(one!)]);
    const accepted = await ask(sql, who, action as never, { background: true });
    assert.deepEqual([accepted.status, usage(accepted).status], [202, "pending"]);
    assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 1 });
    assert.equal(await drain(runContext(sql), actionsOf(action)), 1);
    assert.equal(await drain(runContext(sql), actionsOf(action)), 0);
    const background = await ask(sql, who, action as never, { background: true });
    const synchronous = await ask(sql, who, action as never);
    assert.equal(background.status, 200);
    assert.deepEqual(background.body, synchronous.body);
    assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
    await assertSettled(sql);
  },
);

databaseTest("sweep() takes over the operation of a dead process", async ({ sql }) => {
  const who = await createCaller(sql);
  const action = fixedAction([]);
  const claimed = await claim(runContext(sql), {
    action,
    caller: who.caller,
    request_key: "k",
    request: { inputs: { query: "cold storage", limit: 10 }, cursor: null, background: false },
    deadline_seconds: 900,
  });
  assert.ok(isLease(claimed));
  assert.equal((await ask(sql, who, action as never)).status, 202);
  assert.deepEqual(await sweep(runContext(sql), 30), { expired: 0, taken_over: 0, retired: 0 });
  const later = () => new Date(Date.now() + (OPERATION_LEASE_SECONDS + 1) * 1000);
  assert.deepEqual(await sweep(runContext(sql, later), 30), {
    expired: 0,
    taken_over: 1,
    retired: 0,
  });
  assert.equal(await drain(runContext(sql), actionsOf(action)), 1);
  // The first process was only slow. Its late settlement is discarded.
  const late = await settle(runContext(sql), {
    action,
    lease: claimed,
    caller: who.caller,
    limit: 10,
    work: { entries: [], facts: {} },
  });
  assert.equal(late.outcome, "overtaken");
  assert.equal((await ask(sql, who, action as never)).status, 200);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
});

databaseTest("drain() fails an operation whose message is read a sixth time", async ({ sql }) => {
  const who = await createCaller(sql);
  const action = fixedAction(() => Promise.reject(new Error("a defect")));
  await ask(sql, who, action as never, { background: true });
  for (let read = 1; read <= 6; read++) {
    assert.equal(await drain(runContext(sql), actionsOf(action)), 1, `read ${read}`);
    await sql`select pgmq.set_vt('operations', msg_id, 0) from pgmq.q_operations`;
  }
  assert.equal(await drain(runContext(sql), actionsOf(action)), 0);
  const [{ archived }] = await sql<[{ archived: number }]>`
    select count(*) as archived from pgmq.a_operations
  `;
  assert.equal(archived, 1);
  await assert.rejects(ask(sql, who, action as never), { code: "usage_failed", status: 422 });
  await assertSettled(sql);
});

databaseTest("drain() gives work back while its action is not ready", async ({ sql }) => {
  const who = await createCaller(sql);
  const action = fixedAction([]);
  const accepted = await ask(sql, who, action as never, { background: true });
  assert.equal(accepted.status, 202);
  const down = {
    ...action,
    ready: () => false,
    perform: () => Promise.reject(new Failure("retrieval_unavailable")),
  };
  for (let read = 1; read <= 6; read++) {
    assert.equal(await drain(runContext(sql), actionsOf(down)), 1, `read ${read}`);
    await sql`select pgmq.set_vt('operations', msg_id, 0) from pgmq.q_operations`;
  }
  assert.equal(usage(await ask(sql, who, action as never)).status, "pending");
  assert.equal(await drain(runContext(sql), actionsOf(action)), 1);
  assert.equal((await ask(sql, who, action as never)).status, 200);
  await assertSettled(sql);
});

databaseTest("run() gives a lease back if the work throws an error", async ({ sql }) => {
  const who = await createCaller(sql);
  let calls = 0;
  const action = fixedAction(() =>
    ++calls === 1
      ? Promise.reject(new Error("a defect"))
      : Promise.resolve<Work>({ entries: [], facts: {} })
  );
  await assert.rejects(ask(sql, who, action as never), /a defect/);
  assert.equal(usage(await ask(sql, who, action as never)).status, "pending");
  await sql`select pgmq.set_vt('operations', msg_id, 0) from pgmq.q_operations`;
  await drain(runContext(sql), actionsOf(action));
  assert.equal((await ask(sql, who, action as never)).status, 200);
  await assertSettled(sql);
});

databaseTest("consume() counts the operations of dead processes", async ({ sql }) => {
  await takeAt(sql, await createCaller(sql), new Date(), "k");
  let counted = 0;
  const leasesExpired = (count: number) => void (counted += count);
  const metrics = { operation: () => {}, leasesExpired };
  const later = () => new Date(Date.now() + (OPERATION_LEASE_SECONDS + 1) * 1000);
  const stop = new AbortController();
  const options = { workers: 0, retention_days: 30, stopping: stop.signal };
  const consuming = consume({ ...runContext(sql, later), metrics }, new Map(), options);
  const isQueued = async () => (await sql`select from pgmq.q_operations`).length === 1;
  await eventually("the operation is queued", isQueued);
  stop.abort();
  await consuming;
  assert.equal(counted, 1);
});

databaseTest("sweep() expires an operation after its deadline, permanently", async ({ sql }) => {
  const who = await createCaller(sql);
  let performed = 0;
  const action = fixedAction(() => Promise.resolve({ entries: [], facts: { n: ++performed } }));
  await ask(sql, who, action as never, { background: true });
  const later = () => new Date(Date.now() + 901_000);
  // A worker does not perform overdue work.
  assert.deepEqual([await drain(runContext(sql, later), actionsOf(action)), performed], [1, 0]);
  assert.deepEqual(await sweep(runContext(sql, later), 30), {
    expired: 1,
    taken_over: 0,
    retired: 0,
  });
  assert.equal(await drain(runContext(sql), actionsOf(action)), 0);
  for (let n = 0; n < 2; n++) {
    await assert.rejects(ask(sql, who, action as never), (error: Error & { details: object }) => {
      assert.deepEqual(
        { ...error.details, code: (error as { code?: string }).code },
        {
          code: "usage_expired",
          usage: {
            id: 1,
            status: "failed",
            request_key: "k",
            request_units: 0,
            delivered_units: 0,
            fresh_evidence_units: 0,
          },
          request_allowance: {
            window_seconds: 3600,
            window_remaining: 120,
            weekly_remaining: 2000,
          },
        },
      );
      return true;
    });
  }
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 0 });
  await assertSettled(sql);
});

databaseTest("a read after the deadline expires the operation without a sweep", async ({ sql }) => {
  const who = await createCaller(sql);
  const accepted = await ask(sql, who, fixedAction([]) as never, { background: true });
  const held = await takeAt(sql, who, new Date(), "held");
  const context = runContext(sql, () => new Date(Date.now() + 901_000));
  for (const id of [usage(accepted).id, held.operation_id]) {
    assert.equal((await readOperation(context, who.caller, id)).operation.status, "expired");
  }
  await assertSettled(sql);
});

databaseTest("sweep() removes old results and keeps their units", async ({ sql }) => {
  const who = await createCaller(sql);
  const [one, two] = await record(sql, [{}, {}]);
  const entries = [one!, two!].map(entryOf);
  const first = await ask(sql, who, fixedAction(entries) as never, { limit: 1 });
  const cursor = (first.body as { next_cursor: string }).next_cursor;
  const later = () => new Date(Date.now() + 31 * 86_400_000);
  assert.equal((await sweep(runContext(sql, later), 30)).retired, 1);
  await assert.rejects(ask(sql, who, fixedAction([]) as never, { limit: 1 }), (error: Failure) => {
    assert.deepEqual([error.code, error.details.usage?.status], ["usage_expired", "delivered"]);
    return true;
  });
  const [kept] = await sql`
    select request_units, delivered_units, inputs, result from operations
  `;
  assert.deepEqual({ ...kept }, {
    request_units: 1,
    delivered_units: 1,
    inputs: null,
    result: null,
  });
  assert.deepEqual([...await sql`select * from shortlists`], []);
  await assert.rejects(
    run(runContext(sql), fixedAction([]), who.caller, () => ({
      request_key: "next",
      inputs: { limit: 1, cursor },
    })),
    { code: "invalid_cursor" },
  );
  await assertSettled(sql);
});

databaseTest("an operation fails after five leases of workers that died", async ({ sql }) => {
  const who = await createCaller(sql);
  await ask(sql, who, fixedAction([]) as never, { background: true });
  const next = async () => {
    const [row] = await sql<{ taken: { outcome: string } | null }[]>`
      select take_operation(${crypto.randomUUID()}, 30, null) as taken
    `;
    return row!.taken?.outcome ?? "hidden";
  };
  for (let lease = 1; lease <= 5; lease++) {
    assert.equal(await next(), "leased");
    // A live lease hides the message, so that it is not read.
    assert.equal(await next(), "hidden");
    await sql`update operations set lease_expires_at = now()`;
    await sql`select pgmq.set_vt('operations', msg_id, 0) from pgmq.q_operations`;
  }
  assert.equal(await next(), "poison");
  await assert.rejects(ask(sql, who, fixedAction([]) as never), { code: "usage_failed" });
  await assertSettled(sql);
});

databaseTest(
  "a page whose shortlist is gone expires instead of being ranked again",
  async ({ sql }) => {
    const who = await createCaller(sql);
    const [one, two] = await record(sql, [{}, {}]);
    const entries = [one!, two!].map(entryOf);
    const action = fixedAction(entries);
    const first = await ask(sql, who, action as never, { limit: 1 });
    const cursor = (first.body as { next_cursor: string }).next_cursor;
    const next = (request_key = "next") =>
      run(runContext(sql), action, who.caller, () => ({
        request_key,
        inputs: { limit: 1, cursor, background: true },
      }));
    assert.equal((await next()).status, 202);
    await sql`delete from shortlists`;
    await drain(runContext(sql), actionsOf(action));
    await assert.rejects(next(), { code: "usage_expired" });
    await assert.rejects(next("a new key"), { code: "invalid_cursor" });
    assert.deepEqual(await countRows(sql), { operations: 2, settlements: 1, messages: 0 });
    await assertSettled(sql);
  },
);
