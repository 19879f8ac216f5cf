import assert from "node:assert/strict";
import { UsageError } from "../../src/failures.ts";
import { isWellFormedKey } from "../../src/accounts/credential.ts";
import { askAdmin as run, runAdmin } from "../support/admin.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";

oneEngineTest("admin creates an account, and a key that works until revoked", async ({ db }) => {
  const { answer } = await run(db, "account", "create", "A customer", "--plan", "builder");
  assert.deepEqual(answer, { account_id: 1, subscription_id: 1 });
  const made = await run(db, "key", "create", "--account", "1", "--name", "production");
  assert.ok(isWellFormedKey(made.answer.key));
  await withApp(db, async ({ ask }) => {
    assert.equal((await ask("/api/usage", { key: made.answer.key })).status, 200);
    const revoked = await run(db, "key", "revoke", "1", "--yes");
    assert.deepEqual(Object.keys(revoked.answer), ["key_id", "revoked_at"]);
    assert.equal((await ask("/api/usage", { key: made.answer.key })).status, 401);
    assert.deepEqual((await run(db, "key", "revoke", "1", "--yes")).answer, revoked.answer);
  });
  const { answer: listed } = await run(db, "key", "list", "--account", "1");
  assert.equal(listed.keys.length, 1);
  assert.ok(made.answer.key.startsWith(listed.keys[0].prefix));
  assert.equal(listed.keys[0].prefix.length, 9);
});

oneEngineTest(
  "admin changes plans and subscriptions with effect from the next request",
  async ({ db, sql }) => {
    const { key } = await createCaller(sql);
    await withApp(db, async ({ ask, search }) => {
      const set = await run(db, "plan", "set", "builder", "--page-limit=5", "--request-units=7");
      assert.deepEqual(set.answer, {
        name: "builder",
        page_limit: 5,
        reads_per_minute: 600,
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
      const terms = ["--plan=professional", "--status=active"];
      const back = await run(db, "subscription", "set", "--account=1", ...terms);
      assert.deepEqual([back.answer.plan, back.answer.status], ["professional", "active"]);
      assert.equal((await ask("/api/usage", { key })).body.limits.request_units, 600);
    });
  },
);

oneEngineTest("admin withdraws records, and permits a source again", async ({ db, sql }) => {
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
    await run(db, "withdraw", "--observation", String(one!.observation_id), "--yes");
    const wrong = run(db, "withdraw", "--evidence-uri", "not a uri", "--yes");
    await assert.rejects(wrong, /--evidence-uri: a whole address is required/);
    for (
      const [spelling, answer] of [
        ["HTTPS://News.example:443/x", { observations: 1 }],
        [uri, { observations: 0, note: "No evidence that is shown now has this address." }],
      ] as const
    ) {
      const withdrawn = await run(db, "withdraw", "--evidence-uri", spelling, "--yes");
      assert.deepEqual(withdrawn.answer, { evidence_uri: spelling, ...answer });
    }
    await run(db, "withdraw", "--company", String(three!.company_id), "--yes");
    const off = await run(db, "source", "set", "other", "--permitted", "false");
    assert.deepEqual(off.answer, { source: "other", permitted: false, observations: 1 });
    assert.deepEqual(await shown(), [false, false, false, false]);
    await run(db, "source", "set", "other", "--permitted", "true");
    assert.deepEqual(await shown(), [false, false, false, true]);
  });
});

oneEngineTest("admin usage verify exits with 1 if a counter is wrong", async ({ db, sql }) => {
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
  ["key", "revoke", "x", "--yes"],
  ["key", "revoke", "1"],
  ["key", "create", "--account", "1", "--expires", "2026-02-30"],
  ["account", "show", "x"],
  ["account", "rename", "1"],
  ["usage", "report", "--by", "week"],
  ["usage", "report", "--from", "2026-11-02", "--to", "2026-11-01"],
  ["usage", "report", "--from", "0000-01-01"],
  ["demo", "remove"],
  ["plan", "set", "builder"],
  ["plan", "set", "builder", "--page-limit", "-1"],
  ["plan", "set", "builder", "--page-limit", "101"],
  ["plan", "set", "builder", "--request-units", "3000000000"],
  ["account", "create", "one", "--plan", ""],
  ["usage", "verify", "now"],
  ["plan", "set", "builder", "--colour", "red"],
  ["source", "set", "demo", "--permitted", "maybe"],
  ["withdraw"],
  ["withdraw", "--observation", "1"],
  ["withdraw", "--observation", "1", "--company", "2", "--yes"],
  ["withdraw", "--observation", "1", "--observation", "2", "--yes"],
  ["subscription", "set", "--account", "1"],
];

const UNKNOWN: [string[], RegExp][] = [
  [["account", "create", "", "--plan", "builder"], /NAME/],
  [["account", "create", "Acme ", "--plan", "builder"], /NAME: .* space at either end/],
  [
    ["account", "create", "one", "--plan", "gold"],
    /no plan gold; known: builder, demo, professional/,
  ],
  [["account", "create", "one", "--plan", "builder", "--status", "late"], /no status late/],
  [["key", "create", "--account", "9"], /no account 9/],
  [["key", "list", "--account", "9"], /no account 9/],
  [["key", "revoke", "9", "--yes"], /no key 9/],
  [["account", "show", "9"], /no account 9/],
  [["account", "rename", "9", "new"], /no account 9/],
  [["demo", "remove", "--yes"], /no demo/],
  [["subscription", "set", "--account", "9", "--status", "active"], /no account 9/],
  [["plan", "set", "gold", "--page-limit", "9"], /no plan gold/],
  [["source", "set", "none", "--permitted", "true"], /no source none/],
  [["withdraw", "--observation", "9", "--yes"], /no observation 9/],
  [["withdraw", "--company", "9", "--yes"], /no company 9/],
];

oneEngineTest("admin refuses wrong usage, and names unknown things", async ({ db, sql }) => {
  for (const args of WRONG) await assert.rejects(run(db, ...args), UsageError, args.join(" "));
  for (const [args, message] of UNKNOWN) await assert.rejects(run(db, ...args), message);
  const [{ rows }] = await sql<[{ rows: number }]>`
    select (select count(*) from accounts) + (select count(*) from api_keys) as rows
  `;
  assert.equal(rows, 0);
});

oneEngineTest("admin asks for confirmation before an irreversible change", async ({ db, sql }) => {
  await createCaller(sql);
  const questions: string[] = [];
  const answer = (yes: boolean) => ({
    confirm: (question: string) => {
      questions.push(question);
      return Promise.resolve(yes);
    },
  });
  const revoke = ["key", "revoke", "1"];
  const revoked = async () => (await sql`select from api_keys where revoked_at is not null`).length;
  await assert.rejects(runAdmin(db, revoke, answer(false)), /nothing was changed/);
  assert.equal(await revoked(), 0);
  assert.equal((await runAdmin(db, revoke, answer(true))).exit_code, 0);
  assert.equal(await revoked(), 1);
  assert.deepEqual(questions, Array(2).fill("A revoked key cannot be used again (key 1)."));
  // A reversible change needs no confirmation.
  await runAdmin(db, ["plan", "set", "builder", "--page-limit", "9"], answer(false));
  assert.equal(questions.length, 2);
});

oneEngineTest("admin --help lists the commands, and opens no database", async ({ db }) => {
  const closed = { database: () => Promise.reject(new Error("help opens no database")) };
  const help = async (...args: string[]) => await runAdmin(db, [...args, "--help"], closed);
  const all = await help();
  assert.equal(all.exit_code, 0);
  for (const name of ["account rename", "plan list", "usage export", "demo remove"]) {
    assert.ok(all.text.includes(`admin ${name}`), name);
  }
  const keys = (await help("key")).text.split("\n");
  assert.deepEqual(keys.map((line) => line.split(" ", 3).join(" ")), [
    "admin key create",
    "admin key list",
    "admin key rotate",
    "admin key revoke",
  ]);
  assert.equal(
    (await help("key", "revoke")).text,
    "admin key revoke KEY_ID [--yes]\nRevokes a key, from the next request on.\n" +
      "Asks for confirmation first; --yes confirms.",
  );
  // An incomplete command is refused.
  await assert.rejects(runAdmin(db, ["key"], closed), { name: "UsageError", message: /key list/ });
});
