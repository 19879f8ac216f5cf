import assert from "node:assert/strict";
import fc from "fast-check";
import { setPlan } from "../../src/accounts/account.ts";
import { claim, isLease, type Lease } from "../../src/operations/claim.ts";
import { diagnostic, getUsage, verifyUsage } from "../../src/operations/report.ts";
import { fail, run, settle } from "../../src/operations/run.ts";
import { sweep } from "../../src/operations/worker.ts";
import type { UsageReport } from "../../src/contract/operation.ts";
import { Failure } from "../../src/failures.ts";
import type { Sql } from "../../src/db/connect.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type TestCaller } from "../support/factories.ts";
import { assertSettled, entryOf, fixedAction, runContext, takeAt } from "../support/operations.ts";

const action = fixedAction([]);

async function usageAt(sql: Sql, who: TestCaller, at: Date) {
  const reply = await getUsage.read(runContext(sql, () => at), who.caller, {});
  return reply.body as UsageReport;
}

/** Claims an operation and settles it at once, without a delivery. */
async function settleAt(sql: Sql, who: TestCaller, at: Date, request_key: string) {
  const lease = await takeAt(sql, who, at, request_key);
  const work = { entries: [], facts: {} };
  await settle(runContext(sql, () => at), { action, lease, caller: null, limit: 5, work });
}

databaseTest("settle() charges the window that admitted the operation", async ({ sql }) => {
  const who = await createCaller(sql);
  const [start] = await sql<{ at: Date }[]>`select current_period_start as at from subscriptions`;
  // End of the first whole window of the period.
  const windowEnd = (Math.floor(start!.at.getTime() / 3_600_000) + 2) * 3_600_000;
  const before = new Date(windowEnd - 1000);
  const after = new Date(windowEnd + 1000);
  const lease = await takeAt(sql, who, before, "k1");
  await settleAt(sql, who, after, "k2");
  const work = { entries: [], facts: {} };
  const { caller } = who;
  await settle(runContext(sql, () => after), { action, lease, caller, limit: 5, work });
  const { usage, reservations } = await usageAt(sql, who, after);
  assert.equal(usage.request_units, 1);
  assert.equal(usage.weekly_request_units, 2);
  assert.deepEqual(reservations, { request_units: 0, delivered_units: 0 });
  await assertSettled(sql);
});

databaseTest("weeks start with the period, and the last week ends with it", async ({ sql }) => {
  // Windows are days, so that weeks end within them.
  const terms = { weekly_request_units: 1, request_units: 9, window_seconds: 86_400 };
  const who = await createCaller(sql, { terms });
  await sql`update subscriptions set
    current_period_start = '2026-01-31T12:00:00Z', current_period_end = '2026-02-28T12:00:00Z'`;
  const cases: [at: string, renewed: string][] = [
    ["2026-01-31T12:00:00Z", "2026-02-07T12:00:00.000Z"],
    ["2026-02-07T12:00:00Z", "2026-02-14T12:00:00.000Z"],
    // An active period is renewed by calendar months: 31 January, 28 February, 31 March.
    ["2026-02-28T11:00:00Z", "2026-02-28T12:00:00.000Z"],
    ["2026-02-28T12:00:00Z", "2026-03-07T12:00:00.000Z"],
    ["2026-03-30T12:00:00Z", "2026-03-31T12:00:00.000Z"],
    ["2026-03-31T12:00:00Z", "2026-04-07T12:00:00.000Z"],
  ];
  for (const [at, renewed] of cases) {
    const instant = new Date(at);
    await settleAt(sql, who, instant, `first ${at}`);
    await assert.rejects(takeAt(sql, who, instant, `second ${at}`), (error: Failure) => {
      assert.equal(error.code, "request_limit_reached");
      assert.equal(error.details.retry_at, renewed);
      return true;
    });
  }
  const at = new Date("2026-05-10T12:00:00Z");
  const { subscription } = await usageAt(sql, who, at);
  const request = () => ({ request_key: "diagnostic", inputs: {} });
  const { body } = await run(runContext(sql, () => at), diagnostic, who.caller, request);
  assert.deepEqual((body as UsageReport).subscription, subscription);
  assert.equal(subscription.current_period_start, "2026-04-30T12:00:00.000Z");
  assert.equal(subscription.current_period_end, "2026-05-31T12:00:00.000Z");
});

databaseTest("a trial is entitled until its period ends", async ({ sql }) => {
  const who = await createCaller(sql, { status: "trialing" });
  const [{ ends }] = await sql<[{ ends: Date }]>`
    select current_period_end as ends from subscriptions
  `;
  await takeAt(sql, who, new Date(ends.getTime() - 1), "in time");
  await assert.rejects(takeAt(sql, who, ends, "too late"), { code: "subscription_required" });
});

databaseTest("a plan's new, longer window also counts earlier requests in it", async ({ sql }) => {
  const who = await createCaller(sql, { terms: { window_seconds: 60, request_units: 2 } });
  const hour = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
  for (const minute of [1, 2]) {
    await settleAt(sql, who, new Date(hour + minute * 60_000), `minute ${minute}`);
  }
  await setPlan(sql, "builder", { window_seconds: 3600 });
  const at = new Date(hour + 3 * 60_000);
  await assert.rejects(takeAt(sql, who, at, "third"), { code: "request_limit_reached" });
  // A smaller plan may allow less than was used.
  await setPlan(sql, "builder", { request_units: 1, weekly_request_units: 1 });
  const none = { window_seconds: 3600, window_remaining: 0, weekly_remaining: 0 };
  await assert.rejects(takeAt(sql, who, at, "fourth"), (error: Failure) => {
    assert.deepEqual(error.details.request_allowance, none);
    return true;
  });
  await assertSettled(sql);
});

databaseTest("the report shows the present window, despite late settlements", async ({ sql }) => {
  const who = await createCaller(sql, { terms: { window_seconds: 600 } });
  const boundary = (Math.floor(Date.now() / 600_000) + 2) * 600_000;
  const [before, after] = [new Date(boundary - 1), new Date(boundary + 1)];
  await settleAt(sql, who, after, "first in the new window");
  // A claim that began just before the boundary may get the lock of the counters after a claim that
  // began later.
  await settleAt(sql, who, before, "late in the old window");
  assert.equal((await usageAt(sql, who, after)).usage.request_units, 1);
  assert.equal((await usageAt(sql, who, after)).usage.weekly_request_units, 2);
  await setPlan(sql, "builder", { window_seconds: 3600 });
  const hourOf = (at: Date) => Math.floor(at.getTime() / 3_600_000);
  const units = hourOf(after) === hourOf(before) ? 2 : 1;
  assert.equal((await usageAt(sql, who, after)).usage.request_units, units);
  await assertSettled(sql);
});

type Step =
  | { do: "claim"; limit: number }
  | { do: "settle"; which: number; delivered: number }
  | { do: "fail"; which: number }
  | { do: "wait"; seconds: number }
  | { do: "sweep" }
  | { do: "plan"; window_seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("claim"), limit: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("settle"), which: fc.nat(9), delivered: fc.nat(3) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fail"), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait"), seconds: fc.integer({ min: 1, max: 900 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "sweep" }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("plan"),
      window_seconds: fc.constantFrom(60, 600, 3600),
    }),
  },
) as fc.Arbitrary<Step>;

databaseTest("counters agree with the ledger after any history", async ({ sql }) => {
  const recorded = await record(sql, [{}, {}, {}]);
  const entries = recorded.map(entryOf);
  let history = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const who = await createCaller(sql, {
        terms: { request_units: 4, delivered_units: 20, window_seconds: 600 },
      });
      // Each run starts at a full hour, at which windows of all tested lengths start.
      let at = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
      let keys = 0;
      const leases: Lease[] = [];
      history++;
      for (const one of steps) {
        const context = runContext(sql, () => new Date(at));
        switch (one.do) {
          case "claim": {
            const request = {
              inputs: { query: "q", limit: one.limit },
              cursor: null,
              background: false,
            };
            const claimed = await claim(context, {
              action,
              caller: who.caller,
              request_key: `history ${history} key ${keys++}`,
              request,
              deadline_seconds: 900,
            }).catch((error) => {
              assert.ok(error instanceof Failure && error.status === 429, String(error));
            });
            if (claimed && isLease(claimed)) leases.push(claimed);
            break;
          }
          case "settle": {
            const [lease] = leases.splice(one.which, 1);
            if (lease === undefined) break;
            const work = { entries: entries.slice(0, one.delivered), facts: {} };
            await settle(context, { action, lease, caller: null, limit: 1, work });
            break;
          }
          case "fail": {
            const [lease] = leases.splice(one.which, 1);
            if (lease) await fail(context, { lease, caller: null, code: "usage_failed" });
            break;
          }
          case "wait":
            at += one.seconds * 1000;
            break;
          case "sweep":
            await sweep(context, 30);
            break;
          case "plan":
            await setPlan(sql, "builder", { window_seconds: one.window_seconds });
        }
        const [over] = await sql`
          select 1 from allowances
          where subscription_id = ${who.subscription_id}
            and (
              window_request_units + reserved_request_units > 4
              or window_delivered_units + reserved_delivered_units > 20
            )
        `;
        // After a change to a longer window, the counters of that window may exceed the allowance.
        if (!steps.some((other) => other.do === "plan")) assert.equal(over, undefined);
        assert.deepEqual((await verifyUsage(sql)).differences, []);
      }
      await sweep(runContext(sql, () => new Date(at + 901_000)), 30);
      await assertSettled(sql);
    }),
    { numRuns: 25 },
  );
});

databaseTest("verifyUsage() reports each wrong counter", async ({ sql }) => {
  const who = await createCaller(sql);
  await settleAt(sql, who, new Date(), "k");
  await sql`update allowances set week_request_units = 3, reserved_delivered_units = 2`;
  await sql`update operations
    set reserved_request_units = 2, request_units = 2, delivered_units = 3, fresh_evidence_units = 4`;
  const { operations, settlements, differences } = await verifyUsage(sql);
  assert.deepEqual([operations, settlements], [1, 1]);
  const { subscription_id } = who;
  const none = { subscription_id, operation_id: null };
  const of = { subscription_id, operation_id: 1 };
  assert.deepEqual(differences.toSorted((a, b) => a.what < b.what ? -1 : 1), [
    { ...none, what: "reserved_delivered_units", expected: 0, actual: 2 },
    { ...of, what: "settled_delivered_units", expected: 0, actual: 3 },
    { ...of, what: "settled_fresh_evidence_units", expected: 0, actual: 4 },
    { ...of, what: "settled_request_units", expected: 1, actual: 2 },
    { ...none, what: "week_request_units", expected: 1, actual: 3 },
  ]);
  await sql`update operations set status = 'expired', inputs = null, result = null,
    request_units = 0, delivered_units = 0, fresh_evidence_units = 0`;
  assert.deepEqual((await verifyUsage(sql)).differences.filter((one) => one.operation_id === 1), [
    { ...of, what: "settled_request_units", expected: 1, actual: 0 },
  ]);
});

databaseTest(
  "verifyUsage() reports an operation of another subscription or account",
  async ({ sql }) => {
    const who = await createCaller(sql);
    const other = await createCaller(sql);
    await settleAt(sql, who, new Date(), "k");
    await sql`update operations set subscription_id = ${other.subscription_id}`;
    const { differences } = await verifyUsage(sql);
    const of = { subscription_id: other.subscription_id, operation_id: 1 };
    assert.deepEqual(differences.toSorted((a, b) => a.what < b.what ? -1 : 1), [
      {
        ...of,
        what: "ledger_subscription_id",
        expected: other.subscription_id,
        actual: who.subscription_id,
      },
      { ...of, what: "operation_account_id", expected: other.account_id, actual: who.account_id },
    ]);
  },
);
