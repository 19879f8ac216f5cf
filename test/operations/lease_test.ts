/** Leases are long enough, and no other process takes work under a live one. */
import assert from "node:assert/strict";
import { type MeteredAction } from "../../src/operations/action.ts";
import { run } from "../../src/operations/run.ts";
import { drain, sweep } from "../../src/operations/worker.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { assertSettled, countRows, fixedAction, runContext } from "../support/operations.ts";
import { ACQUISITION_MILLISECONDS_MAX } from "../../src/config.ts";
import {
  DEADLINE_GRACE_SECONDS,
  STATEMENT_TIMEOUT_SECONDS,
  WAIT_SECONDS,
} from "../../src/db/connect.ts";
import { OPERATION_LEASE_SECONDS } from "../../src/operations/claim.ts";
import { TURN_WAIT_SECONDS } from "../../src/operations/turns.ts";
import { REFRESH_MILLISECONDS } from "../../src/search/searches.ts";
import { ANSWER_MILLISECONDS } from "../../src/search/embeddings/embeddings.ts";
import { PLANNING_MILLISECONDS } from "../../src/search/planning/model_planner.ts";

databaseTest("drain() skips an operation on which a process works", async ({ sql }) => {
  const { caller } = await createCaller(sql);
  let performed = 0;
  const taken: number[] = [];
  const actions = new Map<string, MeteredAction>();
  const action = fixedAction(async () => {
    if (++performed === 1) {
      // The queue delivers the message again while its first reader works.
      await sql`select pgmq.set_vt('operations', msg_id, 0) from pgmq.q_operations`;
      taken.push(await drain(runContext(sql), actions));
      // The message is then hidden until the lease ends.
      taken.push(await drain(runContext(sql), actions));
      assert.equal((await sweep(runContext(sql), 30)).taken_over, 0);
      // The read of the message that found the lease alive does not count as a failed attempt.
      const reads = await sql`select read_ct from pgmq.q_operations`;
      assert.deepEqual(reads.map(({ read_ct }) => read_ct), [1]);
    }
    return { entries: [], facts: {} };
  });
  actions.set(action.name, action as unknown as MeteredAction);
  const ask = (background: boolean) =>
    run(runContext(sql), action, caller, () => ({ request_key: "k", inputs: { background } }));
  assert.equal((await ask(true)).status, 202);
  assert.equal(await drain(runContext(sql), actions), 1);
  assert.deepEqual([performed, taken], [1, [1, 0]]);
  assert.equal((await ask(false)).status, 200);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
});

Deno.test("a lease is longer than the slowest work and its settlement", () => {
  const perform = PLANNING_MILLISECONDS +
    // The search is repeated after an acquisition.
    2 * ANSWER_MILLISECONDS + ACQUISITION_MILLISECONDS_MAX + REFRESH_MILLISECONDS;
  const statement = WAIT_SECONDS + STATEMENT_TIMEOUT_SECONDS + DEADLINE_GRACE_SECONDS;
  assert.equal(TURN_WAIT_SECONDS + perform / 1000 + statement, 45);
  assert.ok(OPERATION_LEASE_SECONDS > 45);
});
