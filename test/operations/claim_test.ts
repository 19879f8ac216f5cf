import assert from "node:assert/strict";
import { OPERATION_LEASE_SECONDS } from "../../src/operations/claim.ts";
import { run } from "../../src/operations/run.ts";
import { drain, sweep } from "../../src/operations/worker.ts";
import { createApiKey } from "../../src/accounts/key.ts";
import { hashKey } from "../../src/accounts/credential.ts";
import type { Sql } from "../../src/db/connect.ts";
import { Failure } from "../../src/failures.ts";
import type { Caller, MeteredAction, Reply } from "../../src/operations/action.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  countUnfinished,
  entryOf,
  fixedAction,
  persistently,
  runContext,
  takeAt,
} from "../support/operations.ts";
import { actionsOf } from "../support/recovery.ts";

const body = (reply: Reply) => reply.body as Record<string, unknown>;

databaseTest("run() makes one operation of fifty requests with one key", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  const [one] = await record(sql, [{}]);
  const action = fixedAction([entryOf(one!)]);
  // The clock is fixed, because answers contain the units that are left in the present window.
  const now = new Date();
  const context = runContext(sql, () => now);
  const ask = () => run(context, action, caller, () => ({ request_key: "k", inputs: {} }));
  const replies = await Promise.all(Array.from({ length: 50 }, () => persistently(ask)));
  await finishAll(sql, action);
  const last = await ask();
  assert.deepEqual([last.status, last.replayed], [200, true]);
  const delivered = replies.filter((reply) => reply.status === 200);
  // Only the request that performed the operation is no replay, and it may have timed out.
  assert.ok(delivered.filter((reply) => !reply.replayed).length <= 1);
  for (const reply of delivered) assert.deepEqual(reply.body, last.body);
  // All answers contain the id of the one operation. Each request draws an id from the sequence, so
  // the id need not be 1.
  const [{ id }] = await sql<[{ id: number }]>`select id from operations`;
  for (const reply of replies) assert.deepEqual((body(reply).usage as { id: number }).id, id);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
});

databaseTest(
  "run() refuses a used key with other inputs, and leaves its operation unchanged",
  async ({ sql }) => {
    const { caller } = await createCaller(sql);
    // The clock is fixed, because answers contain the remaining seconds of a window.
    const now = new Date();
    const context = runContext(sql, () => now);
    const ask = (inputs: unknown) =>
      run(context, fixedAction([]), caller, () => ({ request_key: "k", inputs }));
    const first = await ask({ limit: 3 });
    await assert.rejects(ask({ limit: 4 }), { code: "idempotency_conflict", status: 422 });
    const again = await ask({ limit: 3 });
    assert.deepEqual(again, { ...first, replayed: true });
    assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  },
);

databaseTest("run() makes two operations of one key of two accounts", async ({ sql }) => {
  const callers = [await createCaller(sql), await createCaller(sql)];
  for (const { caller } of callers) {
    const reply = await run(
      runContext(sql),
      fixedAction([]),
      caller,
      () => ({ request_key: "k", inputs: {} }),
    );
    assert.equal(reply.replayed, false);
  }
  assert.deepEqual(await countRows(sql), { operations: 2, settlements: 2, messages: 0 });
});

const REFUSALS: [string, object, unknown, string | null][] = [
  ["invalid_search", {}, {}, null],
  ["invalid_search", {}, {}, ""],
  ["invalid_search", {}, {}, "k".repeat(256)],
  ["invalid_search", {}, {}, "clé"],
  ["result_limit_reached", {}, { limit: 26 }, "k"],
  ["invalid_cursor", {}, { cursor: "x".repeat(32) }, "k"],
  ["subscription_required", { status: "canceled" }, {}, "k"],
  ["request_limit_reached", { terms: { request_units: 0 } }, {}, "k"],
  ["delivery_limit_reached", { terms: { delivered_units: 9 } }, {}, "k"],
];

for (const [code, subscription, inputs, request_key] of REFUSALS) {
  const shown = `${JSON.stringify(inputs)} ${request_key?.slice(0, 4) ?? "no key"}`;
  databaseTest(`run() refuses with ${code} and leaves no row: ${shown}`, async ({ sql }) => {
    const { caller } = await createCaller(sql, subscription);
    await assert.rejects(
      run(runContext(sql), fixedAction([]), caller, () => ({ request_key, inputs })),
      { code },
    );
    assert.deepEqual(await countRows(sql), { operations: 0, settlements: 0, messages: 0 });
    await assertSettled(sql);
  });
}

databaseTest(
  "run() refuses an unknown caller before it checks the input",
  async ({ sql }) => {
    const caller: Caller = { key_hash: new Uint8Array(32) };
    await assert.rejects(
      run(runContext(sql), fixedAction([]), caller, () => ({ request_key: null, inputs: {} })),
      { code: "invalid_api_key", status: 401 },
    );
  },
);

databaseTest(
  "claim() admits exactly 100 of 500 requests if 100 units are left",
  async ({ sql }) => {
    const { caller } = await createCaller(sql, {
      terms: { request_units: 100, delivered_units: 100_000, weekly_delivered_units: 100_000 },
    });
    // The clock is fixed, so that no window ends meanwhile.
    const now = new Date();
    const ask = (request_key: string) =>
      run(runContext(sql, () => now), fixedAction([]), caller, () => ({ request_key, inputs: {} }));
    const results = await Promise.allSettled(
      Array.from({ length: 500 }, (_, n) => persistently(() => ask(`k${n}`))),
    );
    const refused = results.filter((r) => r.status === "rejected").map((r) => r.reason as Failure);
    assert.equal(refused.length, 400);
    for (const failure of refused) assert.equal(failure.code, "request_limit_reached");
    await finishAll(sql, fixedAction([]));
    assert.deepEqual(await countRows(sql), { operations: 100, settlements: 100, messages: 0 });
    await assertSettled(sql);
  },
);

databaseTest("claim() charges all keys of a subscription to one allowance", async ({ sql }) => {
  const one = await createCaller(sql, { terms: { request_units: 1 } });
  const { key } = await createApiKey(sql, { account_id: one.account_id, name: "second" });
  // The clock is fixed, so that no window ends meanwhile.
  const now = new Date();
  const ask = (caller: Caller, request_key: string) =>
    run(runContext(sql, () => now), fixedAction([]), caller, () => ({ request_key, inputs: {} }));
  await ask(one.caller, "first");
  const second = { key_hash: hashKey(key) };
  await assert.rejects(ask(second, "second"), { code: "request_limit_reached" });
  // Both keys belong to one account, so a retry with the second key is a replay and free.
  assert.equal((await ask(second, "first")).replayed, true);
});

databaseTest("claim() tells the end of a window whose allowance is used up", async ({ sql }) => {
  const now = new Date(Date.now() + 60_000);
  const { caller } = await createCaller(sql, { terms: { request_units: 1, window_seconds: 600 } });
  const context = runContext(sql, () => now);
  const ask = (request_key: string) =>
    run(context, fixedAction([]), caller, () => ({ request_key, inputs: {} }));
  await ask("first");
  const failure = await ask("second").then(() => undefined, (error: Failure) => error);
  const windowEnd = (Math.floor(now.getTime() / 600_000) + 1) * 600_000;
  assert.equal(failure!.details.retry_at, new Date(windowEnd).toISOString());
  assert.equal(failure!.details.retry_after_seconds, Math.ceil((windowEnd - now.getTime()) / 1000));
  assert.deepEqual(failure!.details.request_allowance, {
    window_seconds: 600,
    window_remaining: 0,
    weekly_remaining: 1999,
  });
});

databaseTest("a claim without settlement holds its reservation until a sweep", async ({ sql }) => {
  const who = await createCaller(sql);
  await takeAt(sql, who, new Date(), "k", 7);
  const [reservation] = await sql`
    select reserved_request_units, reserved_delivered_units from allowances
    where subscription_id = ${who.subscription_id}
  `;
  assert.deepEqual({ ...reservation }, { reserved_request_units: 1, reserved_delivered_units: 7 });
  const later = () => new Date(Date.now() + (OPERATION_LEASE_SECONDS + 1) * 1000);
  await sweep(runContext(sql, later), 30);
  await drain(runContext(sql), actionsOf(fixedAction([])));
  await assertSettled(sql);
});

/**
 * Finishes all operations. On a busy machine, some requests time out after their claim. Their
 * operations become background work, at the latest when their lease expires.
 */
async function finishAll(sql: Sql, action: ReturnType<typeof fixedAction>): Promise<void> {
  const actions = new Map([["search_companies", action as unknown as MeteredAction]]);
  while (await countUnfinished(sql) > 0) {
    await sweep(runContext(sql), 30);
    if (await drain(runContext(sql), actions) > 0) continue;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
