/** Pages and their entries. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import type { DeliveryEntry } from "../../src/operations/action.ts";
import { run } from "../../src/operations/run.ts";
import { drain } from "../../src/operations/worker.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record, type Recorded, type TestCaller } from "../support/factories.ts";
import { assertSettled, fixedAction, runContext, writtenBody } from "../support/operations.ts";

const entryOf = (...records: Recorded[]): DeliveryEntry => ({
  company_id: records[0]!.company_id,
  observation_ids: records.map(({ observation_id }) => observation_id),
});

/** Requests a page. A later page uses the shortlist of the first one. */
async function page(
  sql: Sql,
  { caller }: TestCaller,
  { entries = [], ...request }: {
    request_key: string;
    entries?: DeliveryEntry[];
    limit: number;
    cursor?: string | null;
  },
): Promise<{ entries: DeliveryEntry[]; next_cursor: string | null }> {
  const { request_key, limit, cursor = null } = request;
  const asked = () => ({ request_key, inputs: { limit, cursor } });
  return writtenBody(await run(runContext(sql), fixedAction(entries), caller, asked));
}

databaseTest("settle() fills a page even if most of the first entries are withdrawn", async (t) => {
  const { sql } = t;
  const who = await createCaller(sql);
  const recorded = await record(sql, Array.from({ length: 20 }, () => ({})));
  for (const { observation_id } of recorded.slice(0, 16)) {
    await withdrawObservation(sql, observation_id);
  }
  const entries = recorded.map((one) => entryOf(one));
  const first = await page(sql, who, { request_key: "1", entries, limit: 2 });
  assert.deepEqual(first.entries, entries.slice(16, 18));
  const { next_cursor: cursor } = first;
  const second = await page(sql, who, { request_key: "2", limit: 2, cursor });
  assert.deepEqual([second.entries, second.next_cursor], [entries.slice(18), null]);
  await assertSettled(sql);
});

databaseTest("settle() skips no entry, however many before it are withdrawn", async ({ sql }) => {
  const who = await createCaller(sql);
  const recorded = await record(sql, Array.from({ length: 8 }, () => ({})));
  const entries = recorded.map((one) => entryOf(one));
  for (const [at, { observation_id }] of recorded.entries()) {
    await withdrawObservation(sql, observation_id);
    const rest = await page(sql, who, { request_key: `${at}`, entries, limit: 2 });
    assert.deepEqual(rest.entries, entries.slice(at + 1, at + 3));
  }
});

databaseTest("a later page needs no more units than its shortlist has entries", async ({ sql }) => {
  const who = await createCaller(sql, { terms: { delivered_units: 3 } });
  const entries = (await record(sql, [{}, {}, {}])).map((one) => entryOf(one));
  const first = await page(sql, who, { request_key: "1", entries, limit: 2 });
  const { next_cursor: cursor } = first;
  const stranger = await createCaller(sql);
  await assert.rejects(page(sql, stranger, { request_key: "2", limit: 2, cursor }), {
    code: "invalid_cursor",
  });
  const second = await page(sql, who, { request_key: "2", limit: 2, cursor });
  assert.deepEqual(second.entries, entries.slice(2));
  await assertSettled(sql);
});

databaseTest("a page keeps the order of its entries, whatever their companies are", async (t) => {
  const { sql } = t;
  const who = await createCaller(sql);
  const company = { name: "North", external_id: "north" };
  const [first, last] = await record(sql, [{ company }, { company }]);
  const others = await record(sql, [{}, {}, {}]);
  const entries = [last!, ...others.toReversed(), first!].map((one) => entryOf(one));
  const whole = await page(sql, who, { request_key: "1", entries, limit: 10 });
  assert.deepEqual(whole.entries, entries);
});

databaseTest("pages keep entries of one company apart, and observations in order", async (t) => {
  const { sql } = t;
  const who = await createCaller(sql);
  const company = { name: "North", external_id: "north" };
  const north = await record(sql, [{ company }, { company }, { company }, { company }]);
  const [south] = await record(sql, [{}]);
  const entries = [
    entryOf(north[2]!, north[0]!),
    entryOf(south!),
    entryOf(north[3]!),
    entryOf(north[1]!),
  ];
  const first = await page(sql, who, { request_key: "1", entries, limit: 2 });
  assert.deepEqual(first.entries, entries.slice(0, 2));
  const second = await page(sql, who, { request_key: "2", limit: 2, cursor: first.next_cursor });
  assert.deepEqual([second.entries, second.next_cursor], [entries.slice(2), null]);
});

databaseTest("a page that is taken over starts where its previous page ended", async ({ sql }) => {
  const who = await createCaller(sql);
  const entries = (await record(sql, [{}, {}, {}])).map((one) => entryOf(one));
  // Each page stores the state of the next one, as pages of a listing do.
  const action: ReturnType<typeof fixedAction> = {
    ...fixedAction([]),
    perform(_context, _inputs, { frozen }) {
      const at = (frozen?.at ?? 0) as number;
      return Promise.resolve({
        entries: entries.slice(at),
        facts: {},
        next: { at: at + 1, entries: entries.slice(at + 1) },
      });
    },
  };
  const page = (request_key: string, cursor: string | null, background = false) =>
    run(runContext(sql), action, who.caller, () => ({
      request_key,
      inputs: { limit: 1, cursor, background },
    }));
  const cursorOf = async (reply: ReturnType<typeof page>) =>
    ((await reply).body as { next_cursor: string }).next_cursor;
  const second = await cursorOf(page("p2", await cursorOf(page("p1", null))));
  await page("p3", second, true);
  await drain(runContext(sql), new Map([[action.name, action]]));
  const found = await page("p3", second);
  assert.deepEqual((found.body as { entries: DeliveryEntry[] }).entries, entries.slice(2));
  await assertSettled(sql);
});
