/** A page that the process foresees is delivered as it stands, or not at all. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { suppressCompany, withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import type { DeliveryEntry } from "../../src/operations/action.ts";
import { ObservationTexts } from "../../src/operations/observation_text.ts";
import { run, type RunContext } from "../../src/operations/run.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type Recorded, type TestCaller } from "../support/factories.ts";
import { assertSettled, fixedAction, runContext, writtenBody } from "../support/operations.ts";

/** Returns the database as it is, and the outcomes of the settlements since the last look. */
function watched(sql: Sql): { sql: Sql; outcomes(): string[] } {
  let seen: string[] = [];
  const proxy = new Proxy(sql, {
    apply(target, _, args) {
      const made = (target as (...args: unknown[]) => unknown)(...args);
      if (!String(args[0]).includes("settle_operation(")) return made;
      return (made as Promise<{ settlement: { outcome: string } }[]>).then((rows) => {
        seen.push(...rows.map(({ settlement }) => settlement.outcome));
        return rows;
      });
    },
  });
  const outcomes = () => {
    const taken = seen;
    seen = [];
    return taken;
  };
  return { sql: proxy, outcomes };
}

const entryOf = (...found: Recorded[]): DeliveryEntry => ({
  company_id: found[0]!.company_id,
  observation_ids: found.map(({ observation_id }) => observation_id),
});

/** An action whose answer holds all that an answer is made of. */
function wholeAction(entries: DeliveryEntry[]) {
  return {
    ...fixedAction(entries),
    present: ({ outcome: _, operation, allowance: __, next_cursor, result, ...answer }: {
      outcome: string;
      operation: { id: number; request_key: string };
      allowance: unknown;
      next_cursor: string | null;
      result: { as_of: string } | null;
    }) => {
      const { id: ___, request_key: ____, ...units } = operation;
      const { as_of, ...facts } = result!;
      return { ...answer, units, facts, dated: as_of !== "", more: next_cursor !== null };
    },
  };
}

/** Asks twice: a process that keeps the texts of the page, and one that starts without any. */
async function bothAnswers(
  context: RunContext,
  { caller }: TestCaller,
  { entries, limit, name }: { entries: DeliveryEntry[]; limit: number; name: string },
) {
  const ask = async (asked: RunContext, request_key: string) => {
    const request = { request_key, inputs: { limit } };
    const { usage: _, request_allowance: __, ...body } = writtenBody(
      await run(asked, wholeAction(entries), caller, () => request),
    );
    return body;
  };
  const warm = await ask(context, `${name} with texts`);
  const cold = await ask({ ...context, texts: new ObservationTexts() }, `${name} without texts`);
  return { warm, cold };
}

databaseTest(
  "settle() confirms a foreseen page exactly while all of it may be shown",
  async (t) => {
    const who = await createCaller(t.sql);
    const north = { name: "North", external_id: "north" };
    const records = await record(t.sql, [
      { company: north },
      { company: north },
      ...Array.from({ length: 5 }, (_, n) => ({
        external_id: `a-${n}`,
        company: { name: `South ${n}`, external_id: `south-${n}` },
      })),
    ]);
    const entries = [entryOf(records[1]!, records[0]!), ...records.slice(2).map((r) => entryOf(r))];
    const { sql, outcomes } = watched(t.sql);
    const context = runContext(sql);
    const compare = async (name: string, limit: number) => {
      const { warm, cold } = await bothAnswers(context, who, { entries, limit, name });
      assert.deepEqual(warm, cold, name);
      return { outcome: outcomes()[0], units: warm.units.delivered_units, more: warm.more };
    };
    // Texts of all entries are kept from here on.
    await compare("first", 10);
    const asFound = { outcome: "confirmed", units: 6, more: false };
    assert.deepEqual(await compare("whole", 10), asFound);
    assert.deepEqual(await compare("exact", 6), asFound);
    assert.deepEqual(await compare("part", 2), { outcome: "confirmed", units: 2, more: true });

    await record(t.sql, [{
      external_id: "a-0",
      company: { name: "South and Sons", external_id: "south-0" },
      observed_fact: "A second warehouse opens.",
    }]);
    assert.deepEqual(await compare("revised", 10), { outcome: "settled", units: 6, more: false });
    assert.deepEqual(await compare("revised and kept", 10), asFound);

    await withdrawObservation(t.sql, records[2]!.observation_id);
    assert.deepEqual(await compare("withdrawn", 2), { outcome: "settled", units: 2, more: true });
    await suppressCompany(t.sql, records[0]!.company_id);
    assert.deepEqual(await compare("suppressed", 10), {
      outcome: "settled",
      units: 4,
      more: false,
    });
    await t.sql`update sources set permitted = false`;
    assert.deepEqual(await compare("forbidden", 10), { outcome: "settled", units: 0, more: false });
    await assertSettled(t.sql);
  },
);

databaseTest("settle() does not confirm a last entry that may not be shown", async (t) => {
  const who = await createCaller(t.sql);
  const records = await record(t.sql, [{}, {}, {}]);
  const entries = records.map((one) => entryOf(one));
  const { sql, outcomes } = watched(t.sql);
  const context = runContext(sql);
  await bothAnswers(context, who, { entries, limit: 10, name: "first" });
  await withdrawObservation(t.sql, records[2]!.observation_id);
  outcomes();
  const { warm, cold } = await bothAnswers(context, who, { entries, limit: 2, name: "last" });
  assert.deepEqual([warm, warm.more, outcomes()], [cold, false, ["settled", "settled"]]);
});
