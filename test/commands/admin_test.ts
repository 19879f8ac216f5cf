import assert from "node:assert/strict";
import { admin } from "../../src/commands/admin.ts";
import { UsageError } from "../../src/commands/command.ts";
import { readSettings } from "../../src/config.ts";
import type { Database } from "../../src/db/connect.ts";
import { isWellFormedKey } from "../../src/accounts/credential.ts";
import { withApp } from "../support/app.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { silent } from "../support/operations.ts";

/** Runs it as main.ts does, over a database that stays open. */
async function run(db: Database, ...args: string[]) {
  const lines: string[] = [];
  const context = {
    log: silent,
    settings: readSettings({}),
    database: () => Promise.resolve({ ...db, close: () => Promise.resolve() }),
  };
  const exit_code = await admin(args, context, (line) => lines.push(line));
  assert.equal(lines.length, 1);
  return { exit_code, answer: JSON.parse(lines[0]!) };
}

databaseTest("admin makes an account and keys that work until they are revoked", async ({ db }) => {
  const { answer } = await run(db, "account", "create", "A customer", "--plan", "builder");
  assert.deepEqual(answer, { account_id: 1, subscription_id: 1 });
  const made = await run(db, "key", "create", "--account", "1", "--name", "production");
  assert.ok(isWellFormedKey(made.answer.key));
  await withApp(db, async ({ ask }) => {
    assert.equal((await ask("/api/usage", { key: made.answer.key })).status, 200);
    const revoked = await run(db, "key", "revoke", "1");
    assert.deepEqual(Object.keys(revoked.answer), ["key_id", "revoked_at"]);
    assert.equal((await ask("/api/usage", { key: made.answer.key })).status, 401);
    assert.deepEqual((await run(db, "key", "revoke", "1")).answer, revoked.answer);
  });
  const { answer: listed } = await run(db, "key", "list", "--account", "1");
  assert.equal(listed.keys.length, 1);
  assert.deepEqual(Object.keys(listed.keys[0]), ["key_id", "name", "created_at", "revoked_at"]);
});

databaseTest(
  "admin changes plans and subscriptions from the next request on",
  async ({ db, sql }) => {
    const { key } = await createCaller(sql);
    await withApp(db, async ({ ask, search }) => {
      const set = await run(
        db,
        "plan",
        "set",
        "builder",
        "--page-limit",
        "5",
        "--request-units",
        "7",
      );
      assert.deepEqual(set.answer, {
        name: "builder",
        page_limit: 5,
        window_seconds: 3600,
        request_units: 7,
        weekly_request_units: 2000,
        delivered_units: 1000,
        weekly_delivered_units: 10000,
      });
      assert.equal((await ask("/api/usage", { key })).body.limits.request_units, 7);
      const large = await search({ query: "q", limit: 6 }, { key, request_key: "k" });
      assert.equal(large.body.error.code, "result_limit_reached");
      await run(db, "subscription", "set", "--account", "1", "--status", "canceled");
      assert.equal((await ask("/api/usage", { key })).status, 402);
      const back = await run(
        db,
        "subscription",
        "set",
        "--account",
        "1",
        "--plan",
        "professional",
        "--status",
        "active",
      );
      assert.deepEqual([back.answer.plan, back.answer.status], ["professional", "active"]);
      assert.equal((await ask("/api/usage", { key })).body.limits.request_units, 600);
    });
  },
);

databaseTest("admin withdraws, and permits a source again", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const uri = "https://news.example/x";
  const evidence = [{ source_uri: uri, excerpt: "Text.", observed_at: "2026-03-02T09:00:00Z" }];
  const [one, two, three, four] = await record(sql, [{}, { evidence }, {}, { source: "other" }]);
  await withApp(db, async ({ ask }) => {
    const shown = async () =>
      await Promise.all(
        [one!, two!, three!, four!].map(async ({ observation_id }) =>
          (await ask(`/api/observations/${observation_id}`, { key })).status === 200
        ),
      );
    assert.deepEqual(await shown(), [true, true, true, true]);
    await run(db, "withdraw", "--observation", String(one!.observation_id));
    const withdrawn = await run(db, "withdraw", "--evidence-uri", uri);
    assert.deepEqual(withdrawn.answer, { evidence_uri: uri, observations: 1 });
    await run(db, "withdraw", "--company", String(three!.company_id));
    const off = await run(db, "source", "set", "other", "--permitted", "false");
    assert.deepEqual(off.answer, { source: "other", permitted: false, observations: 1 });
    assert.deepEqual(await shown(), [false, false, false, false]);
    await run(db, "source", "set", "other", "--permitted", "true");
    assert.deepEqual(await shown(), [false, false, false, true]);
  });
});

databaseTest("admin usage verify exits with 1 where a counter is wrong", async ({ db, sql }) => {
  await createCaller(sql);
  assert.deepEqual(await run(db, "usage", "verify"), {
    exit_code: 0,
    answer: { operations: 0, settlements: 0, differences: [] },
  });
  await sql`update allowances set window_request_units = 1`;
  const { exit_code, answer } = await run(db, "usage", "verify");
  assert.equal(exit_code, 1);
  assert.deepEqual(answer.differences, [{
    subscription_id: 1,
    operation_id: null,
    what: "window_request_units",
    expected: 0,
    actual: 1,
  }]);
});

const WRONG: string[][] = [
  [],
  ["account"],
  ["account", "create", "--plan", "builder"],
  ["account", "create", "one", "two", "--plan", "builder"],
  ["account", "create", "one"],
  ["key", "create"],
  ["key", "create", "--account", "x"],
  ["key", "revoke", "x"],
  ["plan", "set", "builder"],
  ["plan", "set", "builder", "--page-limit", "-1"],
  ["plan", "set", "builder", "--page-limit", "101"],
  ["plan", "set", "builder", "--request-units", "3000000000"],
  ["account", "create", "one", "--plan", ""],
  ["usage", "verify", "now"],
  ["plan", "set", "builder", "--colour", "red"],
  ["source", "set", "demo", "--permitted", "maybe"],
  ["withdraw"],
  ["withdraw", "--observation", "1", "--company", "2"],
  ["subscription", "set", "--account", "1"],
];

const UNKNOWN: [string[], RegExp][] = [
  [["account", "create", "", "--plan", "builder"], /NAME/],
  [["account", "create", "one", "--plan", "gold"], /no plan gold; known: builder, professional/],
  [["account", "create", "one", "--plan", "builder", "--status", "late"], /no status late/],
  [["key", "create", "--account", "9"], /no account 9/],
  [["key", "list", "--account", "9"], /no account 9/],
  [["key", "revoke", "9"], /no key 9/],
  [["subscription", "set", "--account", "9", "--status", "active"], /no account 9/],
  [["plan", "set", "gold", "--page-limit", "9"], /no plan gold/],
  [["source", "set", "none", "--permitted", "true"], /no source none/],
  [["withdraw", "--observation", "9"], /no observation 9/],
  [["withdraw", "--company", "9"], /no company 9/],
];

databaseTest("admin refuses wrong usage and names what is not there", async ({ db, sql }) => {
  for (const args of WRONG) await assert.rejects(run(db, ...args), UsageError, args.join(" "));
  for (const [args, message] of UNKNOWN) await assert.rejects(run(db, ...args), message);
  const [{ rows }] = await sql<[{ rows: number }]>`
    select (select count(*) from accounts) + (select count(*) from api_keys) as rows
  `;
  assert.equal(rows, 0);
});
