import assert from "node:assert/strict";
import { hashKey } from "../../src/accounts/credential.ts";
import { createApiKey, revokeApiKey } from "../../src/accounts/key.ts";
import type { UsageReport } from "../../src/contract/operation.ts";
import { connect, type Sql } from "../../src/db/connect.ts";
import { Failure } from "../../src/failures.ts";
import { suppressCompany, withdrawEvidence } from "../../src/ingest/record/withdraw.ts";
import type { Caller, DeliveryEntry } from "../../src/operations/action.ts";
import { type Answer, readOperation, replay, shownEntries } from "../../src/operations/answer.ts";
import { getUsage } from "../../src/operations/report.ts";
import { fail, run, settle } from "../../src/operations/run.ts";
import { databaseTest, serverTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  entryOf,
  fixedAction,
  LONG_WINDOW,
  runContext,
  silent,
  takeAt,
} from "../support/operations.ts";
import { startProxy } from "../support/proxy.ts";

databaseTest("settle() charges deliveries, and releases the rest", async ({ sql }) => {
  const who = await createCaller(sql, LONG_WINDOW);
  const recorded = await record(sql, [{}, {}, {}]);
  const report = async () =>
    (await getUsage.read(runContext(sql), who.caller, {})).body as UsageReport;
  const held = await takeAt(sql, who, new Date(), "k", 25);
  assert.deepEqual((await report()).reservations, { request_units: 1, delivered_units: 25 });
  const answer = await settle(runContext(sql), {
    action: fixedAction([]),
    lease: held,
    caller: who.caller,
    limit: 25,
    // Not all acquired observations are delivered.
    work: { entries: recorded.map(entryOf), facts: {}, fresh_observation_ids: [1, 2, 99] },
  });
  assert.equal(answer.operation.delivered_units, 3);
  const { usage, reservations } = await report();
  assert.deepEqual(usage, {
    request_units: 1,
    weekly_request_units: 1,
    delivered_units: 3,
    weekly_delivered_units: 3,
    fresh_evidence_units: 2,
  });
  assert.deepEqual(reservations, { request_units: 0, delivered_units: 0 });
  await assertSettled(sql);
});

databaseTest("settle() leaves out entries that may no longer be shown", async ({ sql }) => {
  const who = await createCaller(sql);
  const uri = "https://news.example/gone";
  const evidence = [{
    source_uri: uri,
    excerpt: "An excerpt.",
    observed_at: "2026-03-02T09:00:00Z",
  }];
  const [kept, suppressed, withdrawn] = await record(sql, [{}, {}, { evidence }]);
  await suppressCompany(sql, suppressed!.company_id);
  await withdrawEvidence(sql, uri);
  const answer = await settle(runContext(sql), {
    action: fixedAction([]),
    lease: await takeAt(sql, who, new Date(), "k", 10),
    caller: who.caller,
    limit: 10,
    work: { entries: [withdrawn!, suppressed!, kept!].map(entryOf), facts: {} },
  });
  assert.deepEqual((answer as Answer).result!.entries, [entryOf(kept!)]);
  assert.equal(answer.operation.delivered_units, 1);
});

databaseTest(
  "settle() and fail() do nothing for a process that has lost its lease",
  async ({ sql }) => {
    const who = await createCaller(sql);
    const [one] = await record(sql, [{}]);
    const leased = await takeAt(sql, who, new Date(), "k", 10);
    const settlement = {
      action: fixedAction([]),
      lease: leased,
      caller: who.caller,
      limit: 10,
      work: { entries: [entryOf(one!)], facts: {} },
    };
    const stale = { ...settlement, lease: { ...leased, token: crypto.randomUUID() } };
    const failure = { lease: stale.lease, caller: null, code: "usage_failed" } as const;
    assert.equal((await settle(runContext(sql), stale)).outcome, "overtaken");
    assert.equal((await fail(runContext(sql), failure)).outcome, "overtaken");
    assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 0 });
    assert.equal((await settle(runContext(sql), settlement)).outcome, "settled");
    assert.equal((await settle(runContext(sql), settlement)).outcome, "overtaken");
    const late = { ...failure, lease: leased };
    assert.equal((await fail(runContext(sql), late)).outcome, "overtaken");
    assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
    await assertSettled(sql);
  },
);

databaseTest("settle() takes all pages from the shortlist of the first page", async ({ sql }) => {
  const who = await createCaller(sql);
  const recorded = await record(sql, [{}, {}, {}, {}, {}]);
  const entries = recorded.map(entryOf);
  const page = async (request_key: string, cursor: string | null, limit = 2) => {
    const reply = await run(
      runContext(sql),
      // A later page uses the shortlist of the first one. A new search would find nothing.
      fixedAction(cursor === null ? entries : []),
      who.caller,
      () => ({ request_key, inputs: { limit, cursor } }),
    );
    return reply.body as { entries: DeliveryEntry[]; next_cursor: string | null };
  };
  const first = await page("p1", null);
  assert.deepEqual(first.entries, entries.slice(0, 2));
  const second = await page("p2", first.next_cursor);
  assert.deepEqual(second.entries, entries.slice(2, 4));
  await suppressCompany(sql, recorded[4]!.company_id);
  const third = await page("p3", second.next_cursor);
  assert.deepEqual(third, { ...third, entries: [], next_cursor: null });
  assert.deepEqual((await page("p1", null)).next_cursor, first.next_cursor);
  await assert.rejects(page("p4", first.next_cursor, 3), { code: "invalid_cursor" });
  await assertSettled(sql);
});

databaseTest("replay() shows only present content, and keeps the units", async ({ sql }) => {
  const who = await createCaller(sql, LONG_WINDOW);
  const uri = "https://news.example/to-withdraw";
  const evidence = [{
    source_uri: uri,
    excerpt: "An excerpt.",
    observed_at: "2026-03-02T09:00:00Z",
  }];
  const [kept, withdrawn] = await record(sql, [{}, { evidence }]);
  const action = fixedAction([entryOf(kept!), entryOf(withdrawn!)]);
  const ask = () =>
    run(runContext(sql), action, who.caller, () => ({ request_key: "k", inputs: {} }));
  const before = (await ask()).body as { shown: number[]; usage: { id: number } };
  assert.deepEqual(before.shown, [kept!.observation_id, withdrawn!.observation_id].sort());
  await withdrawEvidence(sql, uri);
  const after = (await ask()).body as typeof before;
  assert.deepEqual(after.shown, [kept!.observation_id]);
  assert.deepEqual(after.usage, before.usage);
  const polled = await readOperation(runContext(sql), who.caller, before.usage.id);
  assert.deepEqual(replay(action, polled as never).body, after);
  await assertSettled(sql);
});

databaseTest("fail() ends an operation permanently without a charge", async ({ sql }) => {
  const who = await createCaller(sql);
  const action = fixedAction(() => Promise.reject(new Failure("retrieval_unavailable")));
  const ask = () =>
    run(runContext(sql), action, who.caller, () => ({ request_key: "k", inputs: {} }));
  for (const replayed of [false, true]) {
    const failure = await ask().then(() => undefined, (error) => error);
    assert.equal(failure.code, "retrieval_unavailable");
    assert.equal(failure.status, 503);
    assert.equal(failure.facts.replayed, replayed);
    assert.deepEqual(failure.details.usage, {
      id: 1,
      status: "failed",
      request_key: "k",
      request_units: 0,
      delivered_units: 0,
      fresh_evidence_units: 0,
    });
  }
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 0 });
  await assertSettled(sql);
});

databaseTest("the ledger refuses changes and second settlements", async ({ sql }) => {
  const who = await createCaller(sql);
  await run(runContext(sql), fixedAction([]), who.caller, () => ({ request_key: "k", inputs: {} }));
  await assert.rejects(sql`update ledger set delivered_units = 5`, /append-only/);
  await assert.rejects(sql`delete from ledger`, /append-only/);
  await assert.rejects(
    sql`insert into ledger (
      operation_id, subscription_id, request_units, delivered_units, fresh_evidence_units,
      window_start, week_start, settled_at
    ) select operation_id, subscription_id, 1, 0, 0, window_start, week_start, now() from ledger`,
    /ledger_one_settlement/,
  );
});

databaseTest("settle() gives no cursor if the next page would be empty", async ({ sql }) => {
  const who = await createCaller(sql);
  const recorded = await record(sql, [{}, {}, {}]);
  await suppressCompany(sql, recorded[2]!.company_id);
  const action = fixedAction(recorded.map(entryOf));
  const reply = await run(
    runContext(sql),
    action,
    who.caller,
    () => ({ request_key: "k", inputs: { limit: 2 } }),
  );
  assert.equal((reply.body as { next_cursor: string | null }).next_cursor, null);
});

databaseTest("shownEntries() withholds an observation of another company", async ({ sql }) => {
  const who = await createCaller(sql);
  const [one, other] = await record(sql, [{}, {}]);
  const ask = async () =>
    await readOperation(runContext(sql), who.caller, 1) as Parameters<typeof shownEntries>[0];
  await run(
    runContext(sql),
    fixedAction([entryOf(one!)]),
    who.caller,
    () => ({ request_key: "k", inputs: {} }),
  );
  assert.equal(shownEntries(await ask()).length, 1);
  await sql`
    update observations set company_id = ${other!.company_id} where id = ${one!.observation_id}
  `;
  assert.deepEqual(shownEntries(await ask()), []);
});

databaseTest(
  "an operation whose key is revoked after its claim is charged once and kept",
  async ({ sql }) => {
    const who = await createCaller(sql);
    const { key } = await createApiKey(sql, { account_id: who.account_id, name: "second" });
    const action = fixedAction(async () => {
      await revokeApiKey(sql, who.key_id);
      return { entries: [], facts: {} };
    });
    const ask = (caller: Caller) =>
      run(runContext(sql), action, caller, () => ({ request_key: "k", inputs: {} }));
    await assert.rejects(ask(who.caller), { code: "invalid_api_key" });
    const again = await ask({ key_hash: hashKey(key) });
    assert.deepEqual([again.status, again.replayed], [200, true]);
    assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
    await assertSettled(sql);
  },
);

serverTest("an operation is settled even if the answer of settle is lost", async ({ sql, url }) => {
  const who = await createCaller(sql);
  const proxy = startProxy(url);
  const through = await connect({ database_url: proxy.url, data_dir: "", log: silent });
  const ask = (sql: Sql, request_key: string, perform = () => {}) => {
    const action = fixedAction(() => {
      perform();
      return Promise.resolve({ entries: [], facts: {} });
    });
    return run(runContext(sql), action, who.caller, () => ({ request_key, inputs: {} }));
  };
  // The first request prepares the statements, so that the next message is the answer.
  await ask(through.sql, "first");
  await assert.rejects(ask(through.sql, "cut off", proxy.cutAtAnswer), { code: "unavailable" });
  const again = await ask(sql, "cut off");
  assert.deepEqual([again.status, again.replayed], [200, true]);
  assert.deepEqual(await countRows(sql), { operations: 2, settlements: 2, messages: 0 });
  await assertSettled(sql);
  await through.close();
  await proxy.close();
});
