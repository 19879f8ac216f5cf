import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { run } from "../../src/operations/run.ts";
import { askAdmin, runAdmin } from "../support/admin.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record, type TestCaller } from "../support/factories.ts";
import { fixedAction, runContext } from "../support/operations.ts";

/** Charges the caller for one company at the first instant of a day. */
async function charge(sql: Sql, { caller }: TestCaller, day: string): Promise<void> {
  const [{ company_id, observation_id }] = await record(sql, [{}]) as [
    { company_id: number; observation_id: number },
  ];
  const now = new Date(`${day}T00:00:00Z`);
  const action = fixedAction([{ company_id, observation_ids: [observation_id] }]);
  await sql`update subscriptions set current_period_start = '2026-01-01Z'`;
  await run(runContext(sql, () => now), action, caller, () => ({
    request_key: `${day} ${observation_id}`,
    inputs: {},
  }));
}

async function chargeAll(sql: Sql): Promise<void> {
  const [first, second] = [await createCaller(sql), await createCaller(sql)];
  await sql`update accounts set name = '=Second, "Ltd"' where id = 2`;
  await charge(sql, first, "2026-11-01");
  await charge(sql, first, "2026-11-01");
  await charge(sql, first, "2026-11-02");
  await charge(sql, second, "2026-11-03");
}

oneEngineTest("admin usage report sums the ledger by account, day and action", async (t) => {
  await chargeAll(t.sql);
  const sums = async (...args: string[]) =>
    (await askAdmin(t.db, "usage", "report", "--json", ...args)).answer.usage.map(
      (
        { account_id, day, action, operations, delivered_units }: Record<string, unknown>,
      ) => [account_id, day ?? action, operations, delivered_units],
    );
  assert.deepEqual(await sums(), [[1, undefined, 3, 3], [2, undefined, 1, 1]]);
  assert.deepEqual(await sums("--by", "action"), [
    [1, "search_companies", 3, 3],
    [2, "search_companies", 1, 1],
  ]);
  assert.deepEqual(await sums("--by", "day", "--account", "1"), [
    [1, "2026-11-01", 2, 2],
    [1, "2026-11-02", 1, 1],
  ]);
  // The days of --from and --to are included.
  assert.deepEqual(await sums("--from", "2026-11-02", "--to", "2026-11-02"), [
    [1, undefined, 1, 1],
  ]);
  assert.deepEqual(await sums("--to", "2026-10-31"), []);
});

oneEngineTest("admin usage report draws a table in a terminal", async ({ db, sql }) => {
  await chargeAll(sql);
  await sql`update accounts set name = e'A\u001b[2Jclear'`;
  const args = ["usage", "report", "--by", "day", "--account", "1"];
  const [head, first, ...others] = (await runAdmin(db, args, { draws: true })).text.split("\n");
  assert.match(head!, /^account id +account +day +operations +request units +delivered units/);
  // A name cannot overwrite the table by control characters.
  assert.match(first!, /^ +1 +A\uFFFD\[2Jclear +2026-11-01 +2 +2 +2 +0$/);
  assert.equal(others.length, 1);
  const { text } = await runAdmin(db, [...args, "--json"], { draws: true });
  assert.equal(JSON.parse(text).usage.length, 2);
});

oneEngineTest("admin usage export prints each settlement as CSV", async ({ db, sql }) => {
  await chargeAll(sql);
  for (const command of ["export", "report"]) {
    const unknown = runAdmin(db, ["usage", command, "--account", "99"]);
    await assert.rejects(unknown, /there is no account 99/);
  }
  const { text } = await runAdmin(db, ["usage", "export", "--from", "2026-11-02"]);
  assert.equal(
    text,
    [
      "settlement_id,settled_at,account_id,account,operation_id,action," +
      "request_units,delivered_units,fresh_evidence_units",
      "3,2026-11-02T00:00:00.000Z,1,a customer,3,search_companies,1,1,0",
      // The apostrophe keeps a spreadsheet from reading a formula.
      `4,2026-11-03T00:00:00.000Z,2,"'=Second, ""Ltd""",4,search_companies,1,1,0`,
    ].join("\n"),
  );
});

oneEngineTest(
  "admin usage export prints each settlement of many pages once",
  async ({ db, sql }) => {
    const { account_id, subscription_id } = await createCaller(sql);
    // A page has 5,000 settlements.
    await sql`
    with made as (
      insert into operations (
        account_id, subscription_id, request_key, action, fingerprint, scope,
        status, claimed_at, finished_at, deadline_at, window_start, week_start,
        request_units, reserved_request_units, reserved_delivered_units
      )
      select ${account_id}, ${subscription_id}, n::text, 'search_companies', '', '',
        'expired', now(), now(), now(), now(), now(), 1, 1, 0
      from generate_series(1, 5001) n
      returning id
    )
    insert into ledger (
      operation_id, subscription_id, request_units, delivered_units, fresh_evidence_units,
      window_start, week_start, settled_at
    )
    select id, ${subscription_id}, 1, 0, 0, now(), now(), now() from made
  `;
    const { text } = await runAdmin(db, ["usage", "export"]);
    const ids = text.split("\n").slice(1).map((line) => line.split(",")[0]);
    assert.deepEqual([ids.length, new Set(ids).size], [5001, 5001]);
  },
);

oneEngineTest("admin usage export of a month has a row per customer and day", async (t) => {
  const { db, sql } = t;
  await chargeAll(sql);
  const caller = await createCaller(sql);
  await sql`update accounts set name = '-1' where id = ${caller.account_id}`;
  await charge(sql, caller, "2026-10-31");
  await charge(sql, caller, "2026-11-30");
  await charge(sql, caller, "2026-12-01");
  const { text } = await runAdmin(db, ["usage", "export", "--month", "2026-11"]);
  assert.equal(
    text,
    [
      "day,account_id,account,operations,request_units,delivered_units,fresh_evidence_units",
      "2026-11-01,1,a customer,2,2,2,0",
      "2026-11-02,1,a customer,1,1,1,0",
      `2026-11-03,2,"'=Second, ""Ltd""",1,1,1,0`,
      "2026-11-30,3,'-1,1,1,1,0",
    ].join("\n"),
  );
  // The months add up to the ledger.
  const rowsOf = async (month: string) =>
    (await runAdmin(db, ["usage", "export", "--month", month])).text.split("\n").slice(1)
      .map((line) => Number(line.split(",").at(-2)));
  const exported = [await rowsOf("2026-10"), await rowsOf("2026-11"), await rowsOf("2026-12")];
  const [ledger] = await sql`select sum(delivered_units)::integer as units from ledger`;
  assert.deepEqual(exported, [[1], [2, 1, 1, 1], [1]]);
  assert.equal(ledger!.units, 7);
  for (const name of ["+1", "@1"]) {
    await sql`update accounts set name = ${name} where id = 3`;
    const third = await runAdmin(db, ["usage", "export", "--month", "2026-11", "--account", "3"]);
    assert.equal(third.text.split("\n")[1], `2026-11-30,3,'${name},1,1,1,0`);
  }
  for (const wrong of [["--month=2026-13"], ["--month=2026-11", "--from=2026-11-02"], ["--json"]]) {
    await assert.rejects(runAdmin(db, ["usage", "export", ...wrong]), /--(month|json): /);
  }
});
