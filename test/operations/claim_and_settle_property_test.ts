/**
 * Claiming and settling by one statement equals doing so by two, for random entries and changes.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Sql } from "../../src/db/connect.ts";
import { suppressCompany } from "../../src/ingest/record/withdraw.ts";
import type { DeliveryEntry } from "../../src/operations/action.ts";
import { ObservationTexts } from "../../src/operations/observation_text.ts";
import { run, type RunContext } from "../../src/operations/run.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type Recorded, type TestCaller } from "../support/factories.ts";
import {
  assertSettled,
  LONG_WINDOW,
  memoryAction,
  memoryContext,
  runContext,
  writtenBody,
} from "../support/operations.ts";

const entryOf = (...records: Recorded[]): DeliveryEntry => ({
  company_id: records[0]!.company_id,
  observation_ids: records.map(({ observation_id }) => observation_id),
});

/** Returns the rows that a caller's requests have left, without ids and random values. */
async function rowsOf(sql: Sql, { subscription_id }: TestCaller) {
  const rows = await sql`
    select
      to_jsonb(o) - '{id,account_id,subscription_id,next_cursor}'::text[] as operation,
      o.next_cursor is not null as more,
      to_jsonb(l) - '{id,operation_id,subscription_id}'::text[] as settlement,
      to_jsonb(s) - 'operation_id' as shortlist,
      to_jsonb(a) - 'subscription_id' as allowance
    from operations o
    left join ledger l on l.operation_id = o.id
    left join shortlists s on s.operation_id = o.id
    join allowances a on a.subscription_id = o.subscription_id
    where o.subscription_id = ${subscription_id}
    order by o.id
  `;
  return rows.map((row) => ({ ...row }));
}

databaseTest("one statement writes the same rows and answers as two", async ({ sql }) => {
  // Both callers have the same windows and weeks.
  const [one, two] = [await createCaller(sql, LONG_WINDOW), await createCaller(sql, LONG_WINDOW)];
  await sql`
    update subscriptions set current_period_start = date_trunc('month', now()),
      current_period_end = date_trunc('month', now()) + interval '1 month'
  `;
  const names = ["North", "South", "East", "West", "Center"];
  const records = await record(
    sql,
    names.flatMap((name) => [1, 2].map(() => ({ company: { name, external_id: name } }))),
  );
  await suppressCompany(sql, records[8]!.company_id);
  const entries = names.flatMap((_, n) => [
    entryOf(records[2 * n]!, records[2 * n + 1]!),
    entryOf(records[2 * n + 1]!),
  ]);
  const now = new Date();
  const early = memoryContext(sql, one.caller, () => now);
  const late = runContext(sql, () => now);
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        entries: fc.subarray(entries).chain((chosen) => fc.shuffledSubarray(chosen)),
        limit: fc.integer({ min: 1, max: 6 }),
        filters: fc.constantFrom({}, { kinds: [] }, { kinds: ["facility_expansion"] }, {
          kinds: ["funding"],
        }),
        // Observations to withdraw. Null: nothing changes before this request.
        withdrawn: fc.option(fc.subarray(records.map((one) => one.observation_id))),
        keepsTexts: fc.boolean(),
        unit: fc.constantFrom("company" as const, "observation" as const),
      }),
      async ({ entries, limit, filters, withdrawn, keepsTexts, unit }) => {
        if (withdrawn !== null) {
          await sql`
            update observations set withdrawn_at = case when id = any(${withdrawn}) then now() end
          `;
        }
        const request = { request_key: `k${++asked}`, inputs: { limit } };
        // An action that delivers observations has one observation per entry.
        const performed = unit === "company"
          ? entries
          : entries.map(({ company_id, observation_ids }) => ({
            company_id,
            observation_ids: observation_ids.slice(0, 1),
          }));
        const action = {
          ...memoryAction(performed),
          delivery_unit: unit,
          filters: () => filters,
        };
        const ask = async (context: RunContext, { caller }: TestCaller) => {
          const texts = keepsTexts ? context.texts : new ObservationTexts();
          const reply = await run({ ...context, texts }, action, caller, () => request);
          const { usage: { id: _, ...usage }, next_cursor, ...body } = writtenBody(reply);
          const { allowance, replayed, status, charged } = reply;
          assert.equal(charged?.delivered_units, usage.delivered_units);
          return { usage, more: next_cursor !== null, body, allowance, replayed, status };
        };
        assert.deepEqual(await ask(early, one), await ask(late, two));
        late.delivered.record(two.caller, false);
      },
    ),
    { numRuns: 60 },
  );
  const left = await rowsOf(sql, one);
  assert.ok(left.length >= 60);
  assert.deepEqual(left, await rowsOf(sql, two));
  await assertSettled(sql);
});
