/** Settlement while another process ends the same operation. */
import assert from "node:assert/strict";
import { claim, isLease } from "../../src/operations/claim.ts";
import { settle } from "../../src/operations/run.ts";
import { serverTest } from "../support/database.ts";
import { createCaller, record, type Recorded } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  fixedAction,
  runContext,
  takeAt,
} from "../support/operations.ts";
import { eventually } from "../support/waiting.ts";

serverTest("settle() charges nothing for an operation that expires while it waits", async (t) => {
  const { sql } = t;
  const who = await createCaller(sql);
  const [{ company_id, observation_id }] = await record(sql, [{}]) as [Recorded];
  const action = fixedAction([]);
  const leased = await takeAt(sql, who, new Date(), "k", 10);
  const { settling } = await sql.begin(async (tx) => {
    await tx`select expire_operation(${leased.operation_id}, now())`;
    const settling = settle(runContext(sql), {
      action,
      lease: leased,
      caller: who.caller,
      limit: 10,
      work: { entries: [{ company_id, observation_ids: [observation_id] }], facts: {} },
    });
    await eventually("the settlement waits for the operation", async () => {
      const [row] = await sql<[{ waiting: number }]>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `;
      return row.waiting === 1;
    });
    return { settling };
  });
  const { outcome, operation } = await settling;
  assert.deepEqual([outcome, operation.status], ["overtaken", "expired"]);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 0 });
  await assertSettled(sql);
});

serverTest("a poll after the deadline does not expire what is delivered meanwhile", async (t) => {
  const { sql } = t;
  const who = await createCaller(sql);
  const [{ company_id, observation_id }] = await record(sql, [{}]) as [Recorded];
  const action = fixedAction([]);
  const request = {
    action,
    caller: who.caller,
    request_key: "k",
    request: { inputs: { query: "q", limit: 10 }, cursor: null, background: false },
    deadline_seconds: 0,
  };
  const leased = await claim(runContext(sql), request);
  assert.ok(isLease(leased));
  const { polling } = await sql.begin(async (tx) => {
    await settle(runContext(tx), {
      action,
      lease: leased,
      caller: who.caller,
      limit: 10,
      work: { entries: [{ company_id, observation_ids: [observation_id] }], facts: {} },
    });
    const polling = claim(runContext(sql), request);
    await eventually("the poll waits for the operation", async () => {
      const [row] = await sql<[{ waiting: number }]>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `;
      return row.waiting === 1;
    });
    return { polling };
  });
  const found = await polling;
  assert.ok("operation" in found);
  assert.deepEqual([found.outcome, found.operation.status], ["found", "delivered"]);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
});
