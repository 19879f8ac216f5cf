/**
 * A process that has cached the texts of a page foresees its content. The settlement confirms this
 * content, or looks the page up again.
 */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { suppressCompany, withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import type { DeliveryEntry } from "../../src/operations/action.ts";
import { ObservationTexts } from "../../src/operations/observation_text.ts";
import { run, type RunContext } from "../../src/operations/run.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type Recorded, type TestCaller } from "../support/factories.ts";
import { assertSettled, fixedAction, runContext, writtenBody } from "../support/operations.ts";

/**
 * Wraps a database and notes the outcomes of settlements. `outcomes` returns those since its last
 * call. The outcome `lasting` means that an earlier confirmation of the page is still valid, so the
 * database looks nothing up.
 */
function watchSettlements(sql: Sql): { sql: Sql; outcomes(): string[] } {
  let seen: string[] = [];
  const proxy = new Proxy(sql, {
    apply(target, _, args) {
      const made = (target as (...args: unknown[]) => unknown)(...args);
      if (!String(args[0]).includes("settle_operation(")) return made;
      return (made as Promise<{ settlement: { outcome: string; confirmation?: unknown } }[]>).then(
        (rows) => {
          seen.push(
            ...rows.map(({ settlement: { outcome, confirmation } }) =>
              confirmation === null ? "lasting" : outcome
            ),
          );
          return rows;
        },
      );
    },
  });
  const outcomes = () => {
    const taken = seen;
    seen = [];
    return taken;
  };
  return { sql: proxy, outcomes };
}

const entryOf = (...records: Recorded[]): DeliveryEntry => ({
  company_id: records[0]!.company_id,
  observation_ids: records.map(({ observation_id }) => observation_id),
});

/**
 * Returns an action whose answer omits what differs between two deliveries of the same page: the
 * outcome, the allowance, ids, keys and times.
 */
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

/** Makes a request twice: with the cached texts of the page, and without. Returns both answers. */
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
  "settle() confirms a foreseen page as long as all of it may be shown",
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
    const { sql, outcomes } = watchSettlements(t.sql);
    const context = runContext(sql);
    const compare = async (name: string, limit: number) => {
      const { warm, cold } = await bothAnswers(context, who, { entries, limit, name });
      assert.deepEqual(warm, cold, name);
      return { outcome: outcomes()[0], units: warm.units.delivered_units, more: warm.more };
    };
    // From here on, the texts of all entries are cached.
    await compare("first", 10);
    const asFound = { outcome: "confirmed", units: 6, more: false };
    assert.deepEqual(await compare("whole", 10), asFound);
    assert.deepEqual(await compare("exact", 6), { ...asFound, outcome: "lasting" });
    assert.deepEqual(await compare("part", 2), { outcome: "lasting", units: 2, more: true });

    await record(t.sql, [{
      external_id: "a-0",
      company: { name: "South and Sons", external_id: "south-0" },
      observed_fact: "A second warehouse opens.",
    }]);
    assert.deepEqual(await compare("revised", 10), { outcome: "settled", units: 6, more: false });
    assert.deepEqual(await compare("revised and kept", 10), asFound);
    assert.deepEqual(await compare("revised long ago", 10), { ...asFound, outcome: "lasting" });

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
  const { sql, outcomes } = watchSettlements(t.sql);
  const context = runContext(sql);
  await bothAnswers(context, who, { entries, limit: 10, name: "first" });
  await withdrawObservation(t.sql, records[2]!.observation_id);
  outcomes();
  const { warm, cold } = await bothAnswers(context, who, { entries, limit: 2, name: "last" });
  assert.deepEqual([warm, warm.more, outcomes()], [cold, false, ["settled", "settled"]]);
});

databaseTest("settle() confirms a page without the texts of the entries after it", async (t) => {
  const who = await createCaller(t.sql);
  const entries = (await record(t.sql, [{}, {}, {}])).map((one) => entryOf(one));
  const { sql, outcomes } = watchSettlements(t.sql);
  const context = runContext(sql);
  for (const expected of ["settled", "confirmed", "lasting"]) {
    const request = { request_key: expected, inputs: { limit: 2 } };
    await run(context, wholeAction(entries), who.caller, () => request);
    assert.deepEqual(outcomes(), [expected]);
  }
});

databaseTest("settle() looks a page up again after any write to its content", async (t) => {
  const who = await createCaller(t.sql);
  const [shown] = await record(t.sql, [{}]);
  const { observation_id: id, company_id } = shown!;
  const { sql, outcomes } = watchSettlements(t.sql);
  const context = runContext(sql);
  let requests = 0;
  const ask = async () => {
    const request = { request_key: `${++requests}`, inputs: { limit: 10 } };
    await run(context, wholeAction([entryOf(shown!)]), who.caller, () => request);
    return outcomes()[0];
  };
  assert.deepEqual([await ask(), await ask(), await ask()], ["settled", "confirmed", "lasting"]);
  // These statements call no function that advances the clock of the dataset. Triggers advance it.
  const writes = [
    () => t.sql`update sources set permitted = false`,
    () => t.sql`update sources set permitted = true`,
    () => t.sql`update companies set suppressed_at = now() where id = ${company_id}`,
    () => t.sql`update companies set suppressed_at = null where id = ${company_id}`,
    () => t.sql`update observations set withdrawn_at = now() where id = ${id}`,
    () => t.sql`update observations set withdrawn_at = null where id = ${id}`,
    () => t.sql`update evidence set withdrawn_at = now() where observation_id = ${id}`,
    () => t.sql`update evidence set withdrawn_at = null where observation_id = ${id}`,
  ];
  const outcomesOf: (string | undefined)[] = [];
  for (const write of writes) {
    await write();
    outcomesOf.push(await ask());
  }
  assert.deepEqual(outcomesOf, writes.flatMap((_, n) => n % 2 ? ["confirmed"] : ["settled"]));
  assert.equal(await ask(), "lasting");
  // If a transaction has written the row of the clock itself, its next write of content still
  // advances the clock.
  await t.sql.begin(async (tx) => {
    await tx`update dataset_clock set dataset_id = gen_random_uuid()`;
    await tx`update observations set withdrawn_at = now() where id = ${id}`;
  });
  assert.equal(await ask(), "settled");
  await t.sql`update observations set withdrawn_at = null where id = ${id}`;
  assert.deepEqual([await ask(), await ask()], ["confirmed", "lasting"]);
  await t.sql`delete from evidence where observation_id = ${id}`;
  assert.equal(await ask(), "settled");
});

databaseTest("settle() confirms an observation that never expires", async (t) => {
  const who = await createCaller(t.sql);
  const [shown] = await record(t.sql, [{}]);
  await t.sql`update observations set expires_at = 'infinity'`;
  const { sql, outcomes } = watchSettlements(t.sql);
  const context = runContext(sql);
  for (const expected of ["settled", "confirmed", "lasting"]) {
    const request = { request_key: expected, inputs: { limit: 10 } };
    await run(context, wholeAction([entryOf(shown!)]), who.caller, () => request);
    assert.deepEqual(outcomes(), [expected]);
  }
});

databaseTest("a write in a savepoint advances the clock once", async (t) => {
  const [shown] = await record(t.sql, [{}]);
  const read = () => t.sql<[{ change_seq: number }]>`select change_seq from dataset_clock`;
  const [before] = await read();
  await t.sql.begin((tx) =>
    tx.savepoint((point) => point`select withdraw_observation(${shown!.observation_id})`)
  );
  const [after] = await read();
  assert.equal(after.change_seq, before.change_seq + 1);
});

databaseTest("settle() looks a page up again when a part of it may have expired", async (t) => {
  const who = await createCaller(t.sql);
  const [shown] = await record(t.sql, [{}]);
  const entries = [entryOf(shown!)];
  const { sql, outcomes } = watchSettlements(t.sql);
  const context = runContext(sql);
  await bothAnswers(context, who, { entries, limit: 10, name: "first" });
  const [{ moment }] = await t.sql<[{ moment: string }]>`select dataset_moment() as moment`;
  const { texts: { confirmations } } = context;
  const held = new Map([[shown!.observation_id, context.texts.find(shown!.observation_id)!]]);
  for (const [year, expected] of [[2999, "lasting"], [1999, "confirmed"]] as const) {
    const expires_at = `${year}-01-01T00:00:00+00:00`;
    confirmations.add({ entries, held }, { moment, expires_at, company_names: ["North"] });
    outcomes();
    await bothAnswers(context, who, { entries, limit: 10, name: `${year}` });
    assert.equal(outcomes()[0], expected);
  }
});

databaseTest("settle() confirms an observation only for its own company", async (t) => {
  const who = await createCaller(t.sql);
  const [north, south] = await record(t.sql, [
    { company: { name: "North", external_id: "north" } },
    { company: { name: "South", external_id: "south" } },
  ]);
  const { sql, outcomes } = watchSettlements(t.sql);
  const context = runContext(sql);
  const ask = async (request_key: string, entries: DeliveryEntry[]) => {
    const request = { request_key, inputs: { limit: 10 } };
    await run(context, wholeAction(entries), who.caller, () => request);
    return outcomes()[0];
  };
  const entries = [entryOf(north!), entryOf(south!)];
  assert.deepEqual([await ask("1", entries), await ask("2", entries)], ["settled", "confirmed"]);
  // An index that lags behind may find such entries.
  const exchanged = [
    { ...entries[0]!, observation_ids: entries[1]!.observation_ids },
    { ...entries[1]!, observation_ids: entries[0]!.observation_ids },
  ];
  assert.equal(await ask("3", exchanged), "settled");
});
