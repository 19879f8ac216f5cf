/**
 * Requests that are performed before their claim. One statement claims, settles and charges them.
 */
import assert from "node:assert/strict";
import { connect } from "../../src/db/connect.ts";
import { Failure } from "../../src/failures.ts";
import type { Caller, MeteredAction } from "../../src/operations/action.ts";
import { EARLY_MAX } from "../../src/operations/delivered_callers.ts";
import { run } from "../../src/operations/run.ts";
import { databaseTest, serverTest } from "../support/database.ts";
import { createCaller, record, type Recorded } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  fixedAction,
  type Inputs,
  memoryAction,
  memoryContext,
  persistently,
  silent,
  writtenBody,
} from "../support/operations.ts";
import { startProxy } from "../support/proxy.ts";

const entriesOf = (records: Recorded[]) =>
  records.map(({ company_id, observation_id }) => ({
    company_id,
    observation_ids: [observation_id],
  }));

databaseTest("run() settles one operation for concurrent requests of one key", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  const [one] = await record(sql, [{}]);
  const action = memoryAction(entriesOf([one!]));
  const now = new Date();
  const context = memoryContext(sql, caller, () => now);
  const ask = () => run(context, action, caller, () => ({ request_key: "k", inputs: {} }));
  const replies = await Promise.all(Array.from({ length: EARLY_MAX }, ask));
  assert.equal(action.performed, EARLY_MAX);
  assert.equal(replies.filter(({ replayed }) => !replayed).length, 1);
  for (const { status, body } of replies) assert.deepEqual([status, body], [200, replies[0]!.body]);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
});

databaseTest("run() delivers exactly 100 of 500 requests for 100 units", async ({ sql }) => {
  const { caller } = await createCaller(sql, {
    terms: { request_units: 100, delivered_units: 100_000, weekly_delivered_units: 100_000 },
  });
  const now = new Date();
  const ask = (request_key: string) =>
    run(memoryContext(sql, caller, () => now), memoryAction([]), caller, () => ({
      request_key,
      inputs: {},
    }));
  const results = await Promise.allSettled(
    Array.from({ length: 500 }, (_, n) => persistently(() => ask(`k${n}`))),
  );
  const refused = results.filter((r) => r.status === "rejected").map((r) => r.reason as Failure);
  assert.equal(refused.length, 400);
  for (const failure of refused) assert.equal(failure.code, "request_limit_reached");
  assert.deepEqual(await countRows(sql), { operations: 100, settlements: 100, messages: 0 });
  await assertSettled(sql);
});

const REFUSALS: [string, object, object][] = [
  ["result_limit_reached", {}, { limit: 26 }],
  ["subscription_required", { status: "canceled" }, {}],
  ["request_limit_reached", { terms: { request_units: 0 } }, {}],
  ["request_limit_reached", { terms: { weekly_request_units: 0 } }, {}],
  ["delivery_limit_reached", { terms: { delivered_units: 9 } }, {}],
  ["delivery_limit_reached", { terms: { weekly_delivered_units: 9 } }, {}],
];

for (const [code, subscription, inputs] of REFUSALS) {
  const shown = JSON.stringify([subscription, inputs]);
  databaseTest(`one statement refuses with ${code} as two do: ${shown}`, async ({ sql }) => {
    const { caller } = await createCaller(sql, subscription);
    const [one] = await record(sql, [{}]);
    const action = memoryAction(entriesOf([one!]));
    const now = new Date();
    const context = memoryContext(sql, caller, () => now);
    const refusal = () =>
      run(context, action, caller, () => ({ request_key: "k", inputs })).then(
        () => assert.fail("delivered"),
        (error: Failure) => ({ code: error.code, details: error.details }),
      );
    const early = await refusal();
    // A refusal has wasted a search, so the caller's next request is claimed before it is
    // performed.
    const claimed = await refusal();
    assert.equal(action.performed, 1);
    assert.equal(early.code, code);
    assert.deepEqual(early, claimed);
    assert.deepEqual(await countRows(sql), { operations: 0, settlements: 0, messages: 0 });
    await assertSettled(sql);
  });
}

databaseTest("one statement refuses an unknown API key and a conflict", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  const unknown = { key_hash: new Uint8Array(32) };
  const ask = (who: Caller, inputs: object) =>
    run(memoryContext(sql, who), memoryAction([]), who, () => ({ request_key: "k", inputs }));
  await assert.rejects(ask(unknown, {}), { code: "invalid_api_key" });
  await ask(caller, { limit: 3 });
  await assert.rejects(ask(caller, { limit: 4 }), { code: "idempotency_conflict" });
  assert.equal((await ask(caller, { limit: 3 })).replayed, true);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
});

databaseTest(
  "run() performs at most EARLY_MAX requests of a caller at a time before their claims",
  async (t) => {
    const { caller } = await createCaller(t.sql, { terms: { request_units: 0 } });
    const action = memoryAction([]);
    const context = memoryContext(t.sql, caller);
    const ask = (request_key: string) =>
      run(context, action, caller, () => ({ request_key, inputs: {} }));
    const asked = Array.from({ length: 2 * EARLY_MAX }, (_, n) => persistently(() => ask(`k${n}`)));
    for (const { status } of await Promise.allSettled(asked)) assert.equal(status, "rejected");
    assert.equal(action.performed, EARLY_MAX);
  },
);

databaseTest("run() claims the request after a replay before it performs it", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  const action = memoryAction([]);
  const context = memoryContext(sql, caller);
  const ask = async (request_key: string) => {
    await run(context, action, caller, () => ({ request_key, inputs: {} }));
    return action.performed;
  };
  assert.deepEqual([await ask("1"), await ask("2"), await ask("2")], [1, 2, 3]);
  // Neither a replay nor the first new request after it is performed early.
  assert.deepEqual([await ask("2"), await ask("3"), await ask("4")], [3, 3, 4]);
});

databaseTest("run() claims a request first if its search in memory fails", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  const action = memoryAction([]);
  const ask = () =>
    run(memoryContext(sql, caller), action, caller, () => ({ request_key: "k", inputs: {} }));
  await ask();
  action.performFromMemory = () => Promise.reject(new Error("a defect"));
  assert.equal((await ask()).replayed, true);
});

databaseTest("run() claims a later page and background work first", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  const records = await record(sql, [{}, {}, {}]);
  const action = memoryAction(entriesOf(records));
  const context = memoryContext(sql, caller);
  const ask = async (request_key: string, inputs: object) =>
    writtenBody(await run(context, action, caller, () => ({ request_key, inputs })));
  const first = await ask("first", { limit: 2 });
  const second = await ask("second", { limit: 2, cursor: first.next_cursor });
  assert.deepEqual(
    [first.shown, second.shown, second.next_cursor],
    [
      records.slice(0, 2).map((one) => one.observation_id),
      [records[2]!.observation_id],
      null,
    ],
  );
  await ask("background", { background: true });
  assert.equal(action.performed, 1);
});

databaseTest("run() claims a short page first if sources may fill it", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  const context = memoryContext(sql, caller);
  const action: MeteredAction<Inputs> = {
    ...fixedAction(() => Promise.resolve({ entries: [], facts: { filled: true } })),
    performFromMemory: () =>
      Promise.resolve({ entries: [], facts: { filled: false }, unfilled: true }),
    present: ({ result }) => ({ filled: result!.filled }),
  };
  const isFilled = async (request_key: string) =>
    writtenBody(await run(context, action, caller, () => ({ request_key, inputs: {} }))).filled;
  await sql`insert into sources (name, permitted, asked_in_searches) values ('a', true, false)`;
  assert.equal(await isFilled("1"), false);
  await sql`update sources set asked_in_searches = true`;
  assert.equal(await isFilled("2"), true);
  // A replay asks no source, so it shows the stored result.
  assert.equal(await isFilled("1"), false);
  await sql`update sources set permitted = false`;
  // The request after a replay is always claimed before it is performed.
  assert.deepEqual([await isFilled("3"), await isFilled("4")], [true, false]);
  await assertSettled(sql);
});

databaseTest("one statement charges a window that has just begun", async ({ sql }) => {
  const { caller } = await createCaller(sql, {
    terms: { request_units: 2, window_seconds: 600 },
  });
  const start = Math.ceil(Date.now() / 600_000) * 600_000;
  let now = new Date(start);
  const context = memoryContext(sql, caller, () => now);
  const remaining = async (request_key: string) => {
    const request = () => ({ request_key, inputs: {} });
    const { allowance } = await run(context, memoryAction([]), caller, request);
    return [allowance!.window_remaining, allowance!.weekly_remaining];
  };
  const [left, weekly] = await remaining("1");
  assert.equal(left, 1);
  assert.deepEqual(await remaining("2"), [0, weekly! - 1]);
  now = new Date(start + 600_000);
  assert.deepEqual(await remaining("3"), [1, weekly! - 2]);
  await assertSettled(sql);
});

serverTest("a request whose answer is lost is charged once, and a retry replays it", async (t) => {
  const { sql, url } = t;
  const { caller } = await createCaller(sql);
  const proxy = startProxy(url);
  const through = await connect({ database_url: proxy.url, data_dir: "", log: silent });
  const context = memoryContext(through.sql, caller);
  const ask = (request_key: string) =>
    run(context, memoryAction([]), caller, () => ({ request_key, inputs: {} }));
  // The first request prepares the statement, so that the server's next message is the answer.
  await ask("first");
  proxy.cutAtAnswer();
  await assert.rejects(ask("k"), { code: "unavailable" });
  const retry = await ask("k");
  assert.deepEqual([retry.status, retry.replayed], [200, true]);
  assert.deepEqual(await countRows(sql), { operations: 2, settlements: 2, messages: 0 });
  await assertSettled(sql);
  await context.returns.close();
  await through.close();
  await proxy.close();
});
