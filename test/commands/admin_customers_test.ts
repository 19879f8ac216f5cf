import assert from "node:assert/strict";
import { askAdmin, runAdmin } from "../support/admin.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";

const GOLD =
  "--request-units=9 --weekly-request-units=90 --delivered-units=7 --weekly-delivered-units=70"
    .split(" ");

oneEngineTest("admin plan create and plan set change every limit of a plan", async ({ db }) => {
  const { answer: gold } = await askAdmin(db, "plan", "create", "gold", ...GOLD);
  assert.deepEqual(gold, {
    name: "gold",
    page_limit: 25,
    window_seconds: 3600,
    request_units: 9,
    weekly_request_units: 90,
    delivered_units: 7,
    weekly_delivered_units: 70,
    reads_per_minute: 600,
  });
  const more = ["--page-limit=50", "--window-seconds=60", "--reads-per-minute=5"];
  const terms = [...GOLD.map((term) => `${term}0`), ...more];
  const { answer: fine } = await askAdmin(db, "plan", "create", "fine", ...terms);
  assert.deepEqual([fine.page_limit, fine.window_seconds, fine.reads_per_minute], [50, 60, 5]);
  const { answer: changed } = await askAdmin(db, "plan", "set", "gold", ...terms);
  assert.deepEqual(changed, { ...fine, name: "gold" });
  await assert.rejects(askAdmin(db, "plan", "create", "gold", ...GOLD), {
    message: "there is already a plan gold",
  });
  await assert.rejects(askAdmin(db, "plan", "create", "Gold plan", ...GOLD), /NAME: .*lower-case/);
  await assert.rejects(
    askAdmin(db, "plan", "create", "silver", ...GOLD.slice(1)),
    /--request-units: a value is required/,
  );
  await assert.rejects(
    askAdmin(db, "plan", "create", "silver", ...GOLD, "--reads-per-minute=0"),
    /--reads-per-minute: a whole number of 1 to 1000000 is required/,
  );
});

oneEngineTest("admin customer add makes a customer with a key that works", async ({ db }) => {
  await askAdmin(db, "plan", "create", "gold", ...GOLD);
  const terms = ["--plan=gold", "--status=trialing"];
  const { answer } = await askAdmin(db, "customer", "add", "Acme Ltd", ...terms);
  const { key, ...customer } = answer;
  assert.deepEqual(customer, {
    account_id: 1,
    subscription_id: 1,
    key_id: 1,
    name: "Acme Ltd",
    plan: "gold",
    status: "trialing",
  });
  await assert.rejects(askAdmin(db, "customer", "add", "Acme Ltd", "--plan", "gold"), {
    message: "account 1 has this name already",
  });
  const unknown = askAdmin(db, "customer", "add", "Other", "--plan", "tin");
  await assert.rejects(unknown, /there is no plan tin; known: builder, demo, gold, professional/);
  const named = askAdmin(db, "customer", "add", "Other", "--plan=gold", "--key-name=a\nb");
  await assert.rejects(named, /--key-name: no control characters/);
  const { answer: listed } = await askAdmin(db, "customer", "list");
  assert.deepEqual(
    listed.customers.map(({ created_at: _, ...one }: { created_at: string }) => one),
    [{
      account_id: 1,
      name: "Acme Ltd",
      plan: "gold",
      status: "trialing",
      keys: 1,
      last_used_on: null,
    }],
  );
  await withApp(db, async ({ ask }) => {
    const { status, body } = await ask("/api/usage", { key });
    assert.deepEqual([status, body.subscription.plan, body.limits.request_units], [200, "gold", 9]);
  });
});

oneEngineTest("admin customer suspend and resume restore the status", async ({ db, sql }) => {
  const active = await createCaller(sql);
  const trial = await createCaller(sql, { status: "trialing" });
  await sql`update accounts set name = 'Trial Inc' where id = 2`;
  await withApp(db, async ({ ask }) => {
    const statuses = async () => [
      (await ask("/api/usage", { key: active.key })).status,
      (await ask("/api/usage", { key: trial.key })).status,
    ];
    for (let time = 0; time < 2; time++) {
      const { answer } = await askAdmin(db, "customer", "suspend", "Trial Inc");
      assert.deepEqual(answer, { account_id: 2, status: "paused" });
    }
    // A change of the plan changes neither the status nor the period.
    const changed = ["subscription", "set", "--account=2", "--plan=professional"];
    const { current_period_end } = (await askAdmin(db, ...changed)).answer;
    await askAdmin(db, "customer", "suspend", "1");
    assert.deepEqual(await statuses(), [402, 402]);
    for (let time = 0; time < 2; time++) {
      const { answer } = await askAdmin(db, "customer", "resume", "Trial Inc");
      assert.deepEqual(answer, { account_id: 2, status: "trialing" });
    }
    assert.deepEqual(await statuses(), [402, 200]);
    assert.equal((await askAdmin(db, ...changed)).answer.current_period_end, current_period_end);
    assert.equal((await askAdmin(db, "customer", "resume", "1")).answer.status, "active");
    assert.deepEqual(await statuses(), [200, 200]);
  });
  // A status that the operator sets during a suspension ends it.
  await askAdmin(db, "customer", "suspend", "2");
  await askAdmin(db, "subscription", "set", "--account=2", "--status=canceled");
  for (const command of ["suspend", "resume"]) {
    await assert.rejects(askAdmin(db, "customer", command, "2"), {
      message: "the subscription of account 2 is canceled",
    });
  }
});

oneEngineTest("admin names a customer by its id or its name", async ({ db, sql }) => {
  await createCaller(sql);
  await createCaller(sql);
  await assert.rejects(askAdmin(db, "customer", "show", "a customer"), {
    message: "several accounts have this name or id: 1, 2. Rename one, or give its id",
  });
  await assert.rejects(askAdmin(db, "customer", "show", "99"), /: there is no customer 99$/);
  await sql`update accounts set name = '1999' where id = 2`;
  const { answer } = await askAdmin(db, "customer", "show", "1999");
  assert.deepEqual(
    [answer.account_id, answer.limits.request_units, answer.keys.length],
    [2, 120, 1],
  );
  await sql`update accounts set name = '1' where id = 2`;
  await assert.rejects(askAdmin(db, "customer", "suspend", "1"), /this name or id: 1, 2\./);
  await assert.rejects(askAdmin(db, "customer", "add", "2", "--plan=builder"), /digits alone/);
});

oneEngineTest(
  "admin key rotate lets both keys work until the day has ended",
  async ({ db, sql }) => {
    const { key: old } = await createCaller(sql);
    const { answer } = await askAdmin(db, "key", "rotate", "1", "--until", "2099-12-30");
    const { key, ...made } = answer;
    assert.deepEqual(made, {
      key_id: 2,
      replaced: { key_id: 1, expires_at: "2099-12-31T00:00:00.000Z" },
    });
    const statusesAt = async (time: string) => {
      const statuses: number[] = [];
      await withApp(db, async ({ ask }) => {
        for (const one of [old, key]) statuses.push((await ask("/api/usage", { key: one })).status);
      }, { now: () => new Date(time) });
      return statuses;
    };
    assert.deepEqual(await statusesAt("2099-12-30T23:59:59.999Z"), [200, 200]);
    assert.deepEqual(await statusesAt("2099-12-31T00:00:00.000Z"), [401, 200]);
    const { answer: again } = await askAdmin(db, "key", "rotate", "1", "--until", "2100-06-01");
    assert.equal(again.replaced.expires_at, "2099-12-31T00:00:00.000Z");
    const past = askAdmin(db, "key", "rotate", "2", "--until", "2020-01-01");
    await assert.rejects(past, { name: "UsageError", message: "the day 2020-01-01 has passed" });
    const [{ name }] = await sql<[{ name: string }]>`select name from api_keys where id = 2`;
    assert.equal(name, "test");
    await askAdmin(db, "key", "revoke", "2", "--yes");
    await sql`update api_keys set expires_at = now() where id = 1`;
    for (const id of ["1", "2"]) {
      await assert.rejects(askAdmin(db, "key", "rotate", id), /key \d is no longer valid/);
    }
    await assert.rejects(askAdmin(db, "key", "rotate", "9"), /there is no key 9/);
    const { text } = await runAdmin(db, ["key", "rotate", "3"]);
    const days = (Date.parse(JSON.parse(text).replaced.expires_at) - Date.now()) / 86_400_000;
    assert.ok(days > 7 && days <= 8, `${days} days`);
  },
);
