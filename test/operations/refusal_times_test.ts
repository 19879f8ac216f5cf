/** Refusals name the allowance that is too small, and answers state the time of its renewal. */
import assert from "node:assert/strict";
import type { PlanTerms } from "../../src/accounts/account.ts";
import type { Failure } from "../../src/failures.ts";
import { getUsage, verifyUsage } from "../../src/operations/report.ts";
import { run } from "../../src/operations/run.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { entryOf, fixedAction, runContext, takeAt } from "../support/operations.ts";

/** An instant within a window of ten minutes and a week, which end at different times. */
const NOW = "2026-02-03T10:05:00.500Z";
const WINDOW_END = { retry_at: "2026-02-03T10:10:00.000Z", retry_after_seconds: 300 };
const WEEK_END = { retry_at: "2026-02-07T12:00:00.000Z", retry_after_seconds: 352_500 };

/**
 * Terms, error codes and renewals. A request has cost one request unit and two delivered units, an
 * unfinished one has reserved one and five, and the refused request needs one and ten.
 */
const CASES: [terms: Partial<PlanTerms>, code: string, renewal: typeof WINDOW_END][] = [
  [{ request_units: 2 }, "request_limit_reached", WINDOW_END],
  [{ weekly_request_units: 2 }, "request_limit_reached", WEEK_END],
  [{ delivered_units: 16 }, "delivery_limit_reached", WINDOW_END],
  [{ weekly_delivered_units: 16 }, "delivery_limit_reached", WEEK_END],
  // A refusal names the later of two renewals. Requests take precedence over deliveries.
  [{ request_units: 2, weekly_request_units: 2 }, "request_limit_reached", WEEK_END],
  [{ delivered_units: 16, weekly_delivered_units: 16 }, "delivery_limit_reached", WEEK_END],
  [{ request_units: 2, weekly_delivered_units: 16 }, "request_limit_reached", WINDOW_END],
];

databaseTest("claim() names the exhausted allowance and its renewal", async ({ sql }) => {
  const ample = {
    window_seconds: 600,
    request_units: 3,
    weekly_request_units: 3,
    delivered_units: 17,
    weekly_delivered_units: 17,
  };
  const recorded = await record(sql, [{}, { company: { name: "Second" } }]);
  const delivering = fixedAction(recorded.map(entryOf));
  const now = () => new Date(NOW);
  const request = () => ({ request_key: "k", inputs: {} });
  for (const [short, code, renewal] of CASES) {
    const who = await createCaller(sql, { terms: { ...ample, ...short } });
    await sql`
      update subscriptions set
        current_period_start = '2026-01-31T12:00:00Z', current_period_end = '2026-02-28T12:00:00Z'
      where id = ${who.subscription_id}
    `;
    const paid = () => ({ request_key: "paid", inputs: {} });
    await run(runContext(sql, now), delivering, who.caller, paid);
    await takeAt(sql, who, now(), "unfinished");
    const refused = await run(runContext(sql, now), fixedAction([]), who.caller, request)
      .then(() => undefined, (error: Failure) => error);
    const { retry_at, retry_after_seconds } = refused!.details;
    assert.deepEqual([refused!.code, { retry_at, retry_after_seconds }], [code, renewal]);
    const costs = code === "request_limit_reached"
      ? `0 request units are left until ${retry_at}, and this request can cost 1. Try again then.`
      : `9 delivered units are left until ${retry_at}, and this request can cost 10. ` +
        "Request less, or try again then.";
    assert.equal(refused!.message, costs);
  }
  const few = await createCaller(sql, { terms: { ...ample, delivered_units: 9 } });
  await assert.rejects(run(runContext(sql), fixedAction([]), few.caller, request), {
    message: "This request can cost 10 units, and the plan allows at most 9 per window or week. " +
      "Request less.",
  });
  const who = await createCaller(sql, { terms: ample });
  await takeAt(sql, who, new Date(), "unfinished");
  const enough = await run(runContext(sql), fixedAction([]), who.caller, request);
  assert.equal(enough.status, 200);
  assert.deepEqual((await verifyUsage(sql)).differences, []);
});

databaseTest("an answer states the seconds until its window and its week end", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  await sql`update subscriptions set
    current_period_start = '2026-01-31T12:00:00Z', current_period_end = '2026-02-28T12:00:00Z'`;
  // A day and ten minutes after the beginning of the period. Windows of an hour begin with the hour.
  const now = () => new Date("2026-02-01T12:10:00Z");
  const { allowance } = await getUsage.read({ sql, now }, caller, {});
  assert.deepEqual(
    [allowance!.window_resets_in_seconds, allowance!.week_resets_in_seconds],
    [50 * 60, 7 * 86_400 - 86_400 - 10 * 60],
  );
});
