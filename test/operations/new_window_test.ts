import assert from "node:assert/strict";
import { claim } from "../../src/operations/claim.ts";
import { getUsage, verifyUsage } from "../../src/operations/report.ts";
import { settle } from "../../src/operations/run.ts";
import { databaseTest, serverTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { fixedAction, LONG_WINDOW, runContext, takeAt } from "../support/operations.ts";

const action = fixedAction([]);

serverTest("claims that meet a new window at once each reserve their units", async ({ sql }) => {
  for (let round = 0; round < 10; round++) {
    const { caller } = await createCaller(sql, LONG_WINDOW);
    const context = runContext(sql);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        claim(context, {
          action: fixedAction([]),
          caller,
          request_key: `${round} ${n}`,
          request: { inputs: { query: "", limit: 10 }, cursor: null, background: false },
          deadline_seconds: 900,
        })),
    );
    assert.equal(replies.filter((reply) => "token" in reply).length, 8);
    const [row] = await sql`
      select reserved_request_units as reserved
      from allowances a join api_keys k on k.hash = ${caller.key_hash}
      join subscriptions s on s.account_id = k.account_id and s.id = a.subscription_id
    `;
    assert.deepEqual({ ...row }, { reserved: 8 });
  }
});

databaseTest(
  "settle() counts late deliveries in their week, and not in the window",
  async ({ sql }) => {
    const who = await createCaller(sql);
    const [one] = await record(sql, [{}]);
    const [start] = await sql<{ at: Date }[]>`select current_period_start as at from subscriptions`;
    const windowEnd = (Math.floor(start!.at.getTime() / 3_600_000) + 2) * 3_600_000;
    const after = new Date(windowEnd + 1000);
    const lease = await takeAt(sql, who, new Date(windowEnd - 1000), "k1");
    await takeAt(sql, who, after, "k2");
    const { company_id, observation_id } = one!;
    const entries = [{ company_id, observation_ids: [observation_id] }];
    const work = { entries, facts: {}, fresh_observation_ids: [observation_id] };
    const { caller } = who;
    await settle(runContext(sql, () => after), { action, lease, caller, limit: 5, work });
    const reply = await getUsage.read(runContext(sql, () => after), caller, {});
    const { usage } = reply.body as { usage: Record<string, number> };
    assert.deepEqual([usage.delivered_units, usage.weekly_delivered_units], [0, 1]);
    assert.equal(usage.fresh_evidence_units, 0);
    assert.deepEqual((await verifyUsage(sql)).differences, []);
  },
);
