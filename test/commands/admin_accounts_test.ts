import assert from "node:assert/strict";
import { askAdmin, runAdmin } from "../support/admin.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";

oneEngineTest("admin lists, shows and renames accounts", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await createCaller(sql, { plan: "professional", status: "past_due" });
  const { answer: renamed } = await askAdmin(db, "account", "rename", "2", "Another name");
  assert.deepEqual(renamed, { account_id: 2, name: "Another name" });
  const { answer } = await askAdmin(db, "account", "list");
  assert.deepEqual(
    answer.accounts.map(({ created_at: _, ...account }: { created_at: string }) => account),
    [
      {
        account_id: 1,
        name: "a customer",
        plan: "builder",
        status: "active",
        keys: 1,
        last_used_on: null,
        is_demo: false,
      },
      {
        account_id: 2,
        name: "Another name",
        plan: "professional",
        status: "past_due",
        keys: 1,
        last_used_on: null,
        is_demo: false,
      },
    ],
  );
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  await sql`update subscriptions set current_period_start = '2020-01-31T12:00:00Z'`;
  await withApp(db, async ({ search }) => {
    assert.equal((await search({ query: "freezer" }, { key, request_key: "k" })).status, 200);
    const { answer } = await askAdmin(db, "account", "show", "1");
    assert.equal(answer.subscription_id, 1);
    const [starts, ends] = [answer.current_period_start, answer.current_period_end].map(Date.parse);
    assert.ok(starts! <= Date.now() && Date.now() < ends! && ends! - starts! <= 31 * 86_400_000);
    const { request_units, page_limit, reads_per_minute } = answer.limits;
    assert.deepEqual([request_units, page_limit, reads_per_minute], [120, 25, 600]);
    assert.deepEqual(answer.usage, {
      window_request_units: 1,
      window_delivered_units: 1,
      weekly_request_units: 1,
      weekly_delivered_units: 1,
      reserved_request_units: 0,
      reserved_delivered_units: 0,
    });
  });
});

oneEngineTest("admin refuses names with controls or of digits", async ({ db, sql }) => {
  await createCaller(sql);
  for (const character of ["\0", "\n", "\x1b", "\u009b", "\u2028", "\u202e", "\u{e0001}"]) {
    const name = `Aurora${character}Foods`;
    for (
      const args of [
        ["account", "create", name, "--plan", "builder"],
        ["account", "rename", "1", name],
        ["key", "create", "--account", "1", "--name", name],
      ]
    ) {
      await assert.rejects(runAdmin(db, args), /name: no control characters/i, args.join());
    }
  }
  await assert.rejects(runAdmin(db, ["account", "rename", "1", "7"]), /a name of digits alone/);
  const name = "Épicerie 雪 \u{1f9ca}";
  const { answer: renamed } = await askAdmin(db, "account", "rename", "1", name);
  assert.deepEqual(renamed, { account_id: 1, name });
});

oneEngineTest(
  "admin plan list shows the terms of each plan, and its number of accounts",
  async ({ db, sql }) => {
    await createCaller(sql);
    const { answer } = await askAdmin(db, "plan", "list");
    assert.deepEqual(
      answer.plans.map((
        { name, window_seconds, request_units, accounts }: Record<string, unknown>,
      ) => [name, window_seconds, request_units, accounts]),
      [["builder", 3600, 120, 1], ["demo", 3600, 100, 0], ["professional", 3600, 600, 0]],
    );
  },
);

oneEngineTest("admin key list shows the keys of all accounts or of one", async ({ db, sql }) => {
  const first = await createCaller(sql);
  const second = await createCaller(sql);
  const shown = async (...args: string[]) =>
    (await askAdmin(db, "key", "list", ...args)).answer.keys.map(
      ({ account_id, prefix }: Record<string, unknown>) => [account_id, prefix],
    );
  assert.deepEqual(await shown(), [[1, first.key.slice(0, 9)], [2, second.key.slice(0, 9)]]);
  assert.deepEqual(await shown("--account", "2"), [[2, second.key.slice(0, 9)]]);
});

oneEngineTest("a key is refused after its last day", async ({ db, sql }) => {
  await createCaller(sql);
  await assert.rejects(
    askAdmin(db, "key", "create", "--account", "1", "--expires", "2020-01-01"),
    { name: "UsageError", message: "the day 2020-01-01 has passed" },
  );
  const { answer } = await askAdmin(db, "key", "create", "--account=1", "--expires=2099-12-31");
  assert.equal(answer.expires_at, "2100-01-01T00:00:00.000Z");
  const statusAt = async (time: string) => {
    let status = 0;
    await withApp(db, async ({ ask }) => {
      status = (await ask("/api/usage", { key: answer.key })).status;
    }, { now: () => new Date(time) });
    return status;
  };
  assert.equal(await statusAt("2099-12-31T23:59:59.999Z"), 200);
  assert.equal(await statusAt("2100-01-01T00:00:00.000Z"), 401);
  await sql`update api_keys set expires_at = now() where prefix = ${answer.key.slice(0, 9)}`;
  const [account] = (await askAdmin(db, "account", "list")).answer.accounts;
  assert.equal(account.keys, 1);
  const today = new Date().toISOString().slice(0, 10);
  await askAdmin(db, "key", "create", "--account", "1", "--expires", today);
});
