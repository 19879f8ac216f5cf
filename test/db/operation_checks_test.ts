import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";

/** Assignments that move a pending operation to each state. */
const STATES: Record<string, string> = {
  pending: "status = 'pending'",
  processing: "status = 'processing', lease_token = gen_random_uuid(), lease_expires_at = now()",
  delivered: "status = 'delivered', finished_at = now(), result = '{}', request_units = 1",
  failed: "status = 'failed', finished_at = now(), failure_code = 'unavailable'",
  expired: "status = 'expired', finished_at = now(), inputs = null",
};

/** Changes that violate a rule, with the state of the row before them. */
const BREACHES: [state: string, change: string][] = [
  ["pending", "lease_token = gen_random_uuid()"],
  ["pending", "finished_at = now()"],
  ["pending", "inputs = null"],
  ["pending", "status = 'unknown'"],
  ["pending", "request_key = ''"],
  ["pending", "request_key = repeat('k', 256)"],
  ["pending", "request_key = 'clé'"],
  ["pending", "request_units = 2"],
  ["pending", "request_units = -1"],
  ["pending", "delivered_units = 11"],
  ["pending", "delivered_units = -1"],
  ["pending", "fresh_evidence_units = -1"],
  ["pending", "next_cursor = 'c'"],
  ["pending", "lease_expires_at = now()"],
  ["pending", "request_units = 1"],
  ["pending", "result = '{}'"],
  ["processing", "lease_token = null"],
  ["processing", "lease_expires_at = null"],
  ["processing", "finished_at = now()"],
  ["processing", "inputs = null"],
  ["processing", "request_units = 1"],
  ["processing", "result = '{}'"],
  ["delivered", "finished_at = null"],
  ["delivered", "result = null"],
  ["delivered", "request_units = 0"],
  ["delivered", "lease_token = gen_random_uuid()"],
  ["delivered", "failure_code = 'usage_failed'"],
  ["failed", "finished_at = null"],
  ["failed", "failure_code = null"],
  ["failed", "request_units = 1"],
  ["failed", "lease_token = gen_random_uuid()"],
  ["expired", "finished_at = null"],
  ["expired", "result = '{}'"],
  ["expired", "inputs = '{}'"],
  ["expired", "next_cursor = 'c', next_position = 1"],
];

const COUNTERS = [
  "window_request_units",
  "window_delivered_units",
  "window_fresh_evidence_units",
  "week_request_units",
  "week_delivered_units",
  "reserved_request_units",
  "reserved_delivered_units",
];

databaseTest("the table operations accepts only the five states", async ({ sql }) => {
  const { account_id, subscription_id } = await createCaller(sql);
  for (const [state, parts] of Object.entries(STATES)) {
    await sql`
      insert into operations (
        account_id, subscription_id, request_key, action, fingerprint, scope, inputs, status,
        claimed_at, deadline_at, window_start, week_start, reserved_request_units,
        reserved_delivered_units
      ) values (
        ${account_id}, ${subscription_id}, ${state}, 'diagnostic', '', '', '{}', 'pending',
        now(), now(), now(), now(), 1, 10
      )
    `;
    await sql.unsafe(`update operations set ${parts} where request_key = '${state}'`);
  }
  for (const [state, change] of BREACHES) {
    const update = `update operations set ${change} where request_key = '${state}'`;
    const constraint = await constraintOf(sql, update);
    assert.match(constraint ?? "", /^operations_/, `${state}: ${change}`);
  }
});

databaseTest("the table allowances refuses negative counters", async ({ sql }) => {
  await createCaller(sql);
  for (const counter of COUNTERS) {
    const update = `update allowances set ${counter} = -1`;
    assert.equal(await constraintOf(sql, update), "allowances_not_negative", counter);
  }
});

/** Returns the constraint that refuses a statement, or undefined if none does. */
async function constraintOf(sql: Sql, statement: string): Promise<string | undefined> {
  try {
    await sql.unsafe(statement);
  } catch (error) {
    return (error as { constraint?: string }).constraint;
  }
}
