/** Checks what run() answers and counts if keys, leases or code fail during the work. */
import assert from "node:assert/strict";
import { setPlan } from "../../src/accounts/account.ts";
import { revokeApiKey } from "../../src/accounts/key.ts";
import type { Sql } from "../../src/db/connect.ts";
import { Failure } from "../../src/failures.ts";
import { OPERATION_LEASE_SECONDS } from "../../src/operations/claim.ts";
import { run, type RunContext } from "../../src/operations/run.ts";
import { ADMITTED_MAX, Turns } from "../../src/operations/turns.ts";
import { drain, sweep } from "../../src/operations/worker.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, type TestCaller } from "../support/factories.ts";
import { assertSettled, countRows, fixedAction, runContext } from "../support/operations.ts";
import { actionsOf, NOTHING } from "../support/recovery.ts";

type Action = ReturnType<typeof fixedAction>;
type Counted = Parameters<NonNullable<RunContext["metrics"]>["operation"]>[0];

const ONE_REQUEST = { request_units: 1, delivered_units: 0, fresh_evidence_units: 0 };

/** Returns a context, and the list of outcomes that it counts. */
function counting(sql: Sql): { context: RunContext; counted: Counted[] } {
  const counted: Counted[] = [];
  const metrics = { operation: (end: Counted) => void counted.push(end), leasesExpired: () => {} };
  return { context: { ...runContext(sql), door: "http", metrics }, counted };
}

function ask(context: RunContext, { caller }: TestCaller, action: Action) {
  return run(context, action, caller, () => ({ request_key: "k", inputs: {} }));
}

/** Lets another process take over the operation "k", and deliver it. */
async function overtake(sql: Sql): Promise<void> {
  const later = () => new Date(Date.now() + (OPERATION_LEASE_SECONDS + 1) * 1000);
  assert.equal((await sweep(runContext(sql, later), 30)).taken_over, 1);
  assert.equal(await drain(runContext(sql), actionsOf(fixedAction([]))), 1);
}

/** Returns the numbers of units that an answer shows. */
function unitsOf({ body }: { body: object }) {
  const { request_units, delivered_units } = (body as { usage: Record<string, number> }).usage;
  return { request_units, delivered_units };
}

for (
  const [end, perform] of [
    ["delivers", () => Promise.resolve(NOTHING)],
    ["fails", () => Promise.reject(new Failure("retrieval_unavailable"))],
  ] as const
) {
  databaseTest(
    `run() answers what another process has delivered, if it ${end} without its lease`,
    async ({ sql }) => {
      const who = await createCaller(sql);
      const { context, counted } = counting(sql);
      const action = fixedAction(async () => {
        await overtake(sql);
        return await perform();
      });
      const reply = await ask(context, who, action);
      assert.deepEqual([reply.status, reply.replayed], [200, false]);
      assert.deepEqual(unitsOf(reply), { request_units: 1, delivered_units: 0 });
      // The process that delivered it has counted the delivery.
      assert.deepEqual(counted, [{ action: "search_companies", door: "http", status: "accepted" }]);
      assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
      await assertSettled(sql);
    },
  );
}

databaseTest("run() counts a delivery whose key was revoked during the work", async ({ sql }) => {
  const who = await createCaller(sql);
  const { context, counted } = counting(sql);
  const action = fixedAction(async () => {
    await revokeApiKey(sql, who.key_id);
    return NOTHING;
  });
  await assert.rejects(ask(context, who, action), { code: "invalid_api_key" });
  const [{ units, ...end }] = counted as [Counted];
  assert.deepEqual(end, { action: "search_companies", door: "http", status: "delivered" });
  assert.equal(units?.request_units, ONE_REQUEST.request_units);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
});

databaseTest("run() ends an operation by a failure that is thrown at once", async ({ sql }) => {
  const who = await createCaller(sql);
  const action = fixedAction(() => {
    throw new Failure("retrieval_unavailable");
  });
  await assert.rejects(ask(runContext(sql), who, action), { code: "retrieval_unavailable" });
  // The present limits of a plan do not apply to a retry.
  await setPlan(sql, "builder", { page_limit: 1, request_units: 1, delivered_units: 1 });
  const again = ask(runContext(sql), who, fixedAction([]));
  await assert.rejects(again, { code: "retrieval_unavailable" });
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 0 });
  await assertSettled(sql);
});

databaseTest("run() reports the charge of a body that cannot be built", async ({ sql }) => {
  const who = await createCaller(sql);
  const charged: unknown[] = [];
  const context = { ...runContext(sql), charged: (units: object) => void charged.push(units) };
  const present = () => {
    throw new Error("a defect");
  };
  await assert.rejects(ask(context, who, { ...fixedAction([]), present }), { message: "a defect" });
  const [units] = charged as [typeof ONE_REQUEST];
  assert.equal(units.request_units, 1);
  await ask(context, who, fixedAction([]));
  assert.equal(charged.length, 1);
});

databaseTest("run() replays a delivery while the index loads, and refuses new work", async (t) => {
  const { sql } = t;
  const who = await createCaller(sql);
  await ask(runContext(sql), who, fixedAction([]));
  const loading = { ...fixedAction([]), ready: () => false };
  const { context, counted } = counting(sql);
  const again = await ask(runContext(sql), who, loading);
  assert.deepEqual([again.status, again.replayed], [200, true]);
  for (const background of [false, true]) {
    const fresh = run(context, loading, who.caller, () => ({
      request_key: "new",
      inputs: { background },
    }));
    await assert.rejects(fresh, { code: "unavailable", status: 503 });
  }
  assert.deepEqual(counted.map(({ status }) => status), ["error", "error"]);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
});

databaseTest("run() bounds the waiting requests of a subscription", async ({ sql }) => {
  const who = await createCaller(sql);
  const { context, counted } = counting(sql);
  await ask(context, who, fixedAction([]));
  const { subscription_id } = await context.keys.termsOf(context, who.caller);
  for (let n = 0; n < ADMITTED_MAX; n++) {
    const place = context.turns.enter(subscription_id)!;
    if (n < 2) await place.turn();
  }
  // A replay and background work need no turn.
  assert.equal((await ask(context, who, fixedAction([]))).replayed, true);
  const later = { request_key: "later", inputs: { background: true } };
  assert.equal((await run(context, fixedAction([]), who.caller, () => later)).status, 202);
  const fresh = { request_key: "new", inputs: {} };
  await assert.rejects(run(context, fixedAction([]), who.caller, () => fresh), {
    code: "too_many_requests",
    status: 429,
  });
  assert.deepEqual(counted.map(({ status }) => status), [
    "delivered",
    "replayed",
    "accepted",
    "refused",
  ]);
  assert.equal((await countRows(sql)).operations, 2);
});

databaseTest("run() leaves work that gets no turn in time to a worker", async ({ sql }) => {
  const who = await createCaller(sql);
  const context = { ...runContext(sql), turns: new Turns(1) };
  const { subscription_id } = await context.keys.termsOf(context, who.caller);
  for (let n = 0; n < 2; n++) await context.turns.enter(subscription_id)!.turn();
  await assert.rejects(ask(context, who, fixedAction([])), { code: "unavailable" });
  assert.equal((await ask(context, who, fixedAction([]))).status, 202);
  await sql`select pgmq.set_vt('operations', msg_id, 0) from pgmq.q_operations`;
  assert.equal(await drain(context, actionsOf(fixedAction([]))), 1);
  assert.equal((await ask(context, who, fixedAction([]))).status, 200);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
});

databaseTest("run() looks up the key before it reads the request", async ({ sql }) => {
  const unknown = { key_hash: new Uint8Array(32) };
  let reads = 0;
  const action = { ...fixedAction([]), refuse: () => void reads++ };
  const asked = run(runContext(sql), action, unknown, () => {
    reads++;
    return { request_key: "k", inputs: {} };
  });
  await assert.rejects(asked, { code: "invalid_api_key" });
  assert.equal(reads, 0);
});

databaseTest(
  "run() judges no input for a key that was revoked after its last lookup",
  async ({ sql }) => {
    const who = await createCaller(sql);
    const context = runContext(sql);
    await ask(context, who, fixedAction([]));
    await revokeApiKey(sql, who.key_id);
    const invalid = { request_key: "new", inputs: { limit: "many" } };
    await assert.rejects(run(context, fixedAction([]), who.caller, () => invalid), {
      code: "invalid_api_key",
    });
  },
);
