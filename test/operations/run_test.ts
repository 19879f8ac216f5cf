/** Checks what run() answers and counts if keys, leases or code fail during the work. */
import assert from "node:assert/strict";
import { revokeApiKey } from "../../src/accounts/key.ts";
import type { Sql } from "../../src/db/connect.ts";
import { Failure } from "../../src/failures.ts";
import type { MeteredAction, Work } from "../../src/operations/action.ts";
import { LEASE_SECONDS } from "../../src/operations/claim.ts";
import { run, type RunContext } from "../../src/operations/run.ts";
import { drain, sweep } from "../../src/operations/worker.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, type TestCaller } from "../support/factories.ts";
import { assertSettled, countRows, fixedAction, runContext } from "../support/operations.ts";

type Action = ReturnType<typeof fixedAction>;
type Counted = Parameters<NonNullable<RunContext["metrics"]>["operation"]>[0];

const NOTHING: Work = { entries: [], facts: {} };
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
  const later = () => new Date(Date.now() + (LEASE_SECONDS + 1) * 1000);
  assert.equal((await sweep(runContext(sql, later), 30)).taken_over, 1);
  const action: [string, MeteredAction] = [
    "search_companies",
    fixedAction([]) as unknown as MeteredAction,
  ];
  assert.equal(await drain(runContext(sql), new Map([action])), 1);
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
  await assert.rejects(ask(runContext(sql), who, fixedAction([])), {
    code: "retrieval_unavailable",
  });
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 0 });
  await assertSettled(sql);
});
