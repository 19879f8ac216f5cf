/** Company searches that a model plans, through both doors. */
import assert from "node:assert/strict";
import type { App } from "../../src/app.ts";
import type { Sql } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { drain } from "../../src/operations/worker.ts";
import { everyDoor } from "../contract/every_door.ts";
import { createHttpDoor } from "../contract/http_door.ts";
import { createMcpDoor } from "../contract/mcp_door.ts";
import { stoppedClock, withApp } from "../support/app.ts";
import type { Call, Door } from "../support/calls.ts";
import { CHAT_KEY, startChat } from "../support/chat.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record, type Recorded } from "../support/factories.ts";
import { assertSettled, countRows } from "../support/operations.ts";
import { startRawHost } from "../support/web.ts";

/** Combines both doors into one. It sends each request through both, and compares the answers. */
async function doorsOf({ fetch }: App, key: string): Promise<Door> {
  const document = await (await fetch(new Request("http://127.0.0.1/openapi.json"))).json();
  return everyDoor(createHttpDoor({ fetch, document }).door, await createMcpDoor({ fetch, key }));
}

/** Records three companies. Two mention "freezer", the second "cannery", the third "dairy". */
function recordCompanies(sql: Sql): Promise<Recorded[]> {
  return record(
    sql,
    [
      { observed_fact: "A freezer warehouse.", company: { name: "North" } },
      { observed_fact: "A freezer cannery.", company: { name: "South" } },
      { observed_fact: "A dairy for butter is being built.", company: { name: "East" } },
    ].map((part) => ({ ...part, why_it_may_matter: "They buy." })),
  );
}

const idsOf = (body: { companies: { id: number }[] }) => body.companies.map(({ id }) => id);

oneEngineTest("a model's plan adds to what a search finds", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const [north, south, east] = await recordCompanies(sql);
  const search = { action: "search_companies", inputs: { query: "freezer" }, key } as const;
  await withApp(db, async ({ app }) => {
    const door = await doorsOf(app, key);
    const { body } = await door({ ...search, request_key: "rules" });
    assert.deepEqual(idsOf(body).sort(), [north!.company_id, south!.company_id].sort());
  }, { now: stoppedClock() });
  await using chat = startChat(() => ({ terms: ["dairy", "butter", "cannery"] }));
  await withApp(db, async ({ app }) => {
    const door = await doorsOf(app, key);
    const { status, body } = await door({ ...search, request_key: "model" });
    // Companies with the caller's own word come before those with words of the model.
    const found = [north!, south!, east!].map(({ company_id }) => company_id);
    assert.deepEqual([status, idsOf(body)], [200, found]);
    assert.equal(body.companies[0].match.query, "freezer");
  }, { env: chat.env, now: stoppedClock() });
  assert.equal(chat.requests.length, 1);
  await assertSettled(sql);
});

oneEngineTest("words that a model adds find companies, but are optional", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const companies = await recordCompanies(sql);
  await using chat = startChat(() => ({ terms: ["freezer", "butter"] }));
  await withApp(db, async ({ search }) => {
    const { body } = await search({ query: "freezers" }, { key, request_key: "added" });
    assert.deepEqual(idsOf(body).sort(), companies.map(({ company_id }) => company_id).sort());
  }, { env: chat.env, now: stoppedClock() });
});

oneEngineTest(
  "a model is asked once per first page of a company search, and otherwise never",
  async ({ db, sql }) => {
    const { key } = await createCaller(sql);
    const [north] = await recordCompanies(sql);
    await using chat = startChat(() => ({ terms: ["freezer"] }));
    await withApp(db, async ({ app }) => {
      const door = await doorsOf(app, key);
      const ask = async (call: Omit<Call, "key">, planned: number) => {
        const answer = await door({ ...call, key });
        assert.equal(chat.requests.length, planned, JSON.stringify(call));
        return answer;
      };
      const inputs = { query: "freezer", limit: 1 };
      const search = { action: "search_companies", request_key: "1", inputs } as const;
      const { body: first } = await ask(search, 1);
      await ask(search, 1);
      await ask({ ...search, background: true }, 1);
      await ask({ action: "get_operation", inputs: { id: first.usage.id } }, 1);
      const cursor = first.next_cursor;
      const second = await ask({ ...search, request_key: "2", inputs: { ...inputs, cursor } }, 1);
      assert.equal(second.status, 200);
      assert.notDeepEqual(idsOf(second.body), idsOf(first));
      const metered = (action: Call["action"], inputs: Call["inputs"]) =>
        ask({ action, inputs, request_key: action }, 1);
      await metered("search_observations", { query: "freezer" });
      await metered("get_companies", { ids: [north!.company_id] });
      await metered("list_observations", { domains: ["a.example"], since: "2020-01-01T00:00:00Z" });
      await metered("diagnostic", {});
      await ask({ action: "get_company", inputs: { id: north!.company_id } }, 1);
      const refused = { query: "e-mail addresses of the buyers" };
      const { status } = await ask({ ...search, request_key: "3", inputs: refused }, 1);
      assert.equal(status, 422);
      await ask({ ...search, request_key: "1", inputs: { query: "dairy" } }, 1);
      await ask({ ...search, request_key: "4" }, 2);
    }, { env: chat.env, now: stoppedClock() });
    await assertSettled(sql);
  },
);

oneEngineTest("a search without a plan fails permanently, for free", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await recordCompanies(sql);
  const answers: [string | object | Response, string, number][] = [
    [new Response("no", { status: 500 }), "planning_unavailable", 503],
    ["no plan", "invalid_plan", 422],
    [{ terms: ["freezer"], filters: {} }, "invalid_plan", 422],
    [{ unsupported: true }, "unsupported_request", 422],
  ];
  let modelAnswer: string | object | Response = "";
  await using chat = startChat(() => modelAnswer);
  await withApp(db, async ({ app }) => {
    const door = await doorsOf(app, key);
    for (const [n, [answer, code, status]] of answers.entries()) {
      modelAnswer = answer;
      const call = {
        action: "search_companies",
        inputs: { query: "freezer" },
        request_key: `${n}`,
        key,
      } as const;
      const first = await door(call);
      assert.deepEqual([first.status, first.body.error.code, first.replayed], [
        status,
        code,
        false,
      ]);
      assert.deepEqual(first.body.usage, {
        id: n + 1,
        status: "failed",
        request_key: `${n}`,
        request_units: 0,
        delivered_units: 0,
        fresh_evidence_units: 0,
      });
      assert.equal(first.body.request_allowance.window_remaining, 120);
      // The model would now answer with a plan, but a failed search is replayed without it.
      modelAnswer = { terms: ["freezer"] };
      const again = await door(call);
      assert.deepEqual([again.status, again.body, again.replayed], [status, first.body, true]);
      const id = first.body.usage.id;
      const polled = await door({ action: "get_operation", inputs: { id }, key });
      assert.deepEqual([polled.status, polled.body], [status, first.body]);
      assert.equal(chat.requests.length, n + 1);
    }
  }, { env: chat.env });
  assert.deepEqual(await countRows(sql), { operations: 4, settlements: 0, messages: 0 });
  await assertSettled(sql);
});

oneEngineTest("a background search without a plan fails in the same way", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await using chat = startChat(() => new Response("no", { status: 429 }));
  await withApp(db, async ({ app, search, ask }) => {
    const body = { query: "freezer", background: true };
    const accepted = await search(body, { key, request_key: "k" });
    assert.deepEqual([accepted.status, chat.requests.length], [202, 0]);
    await drain(app.context, app.actions.metered);
    const polled = await ask(`/api/usages/${accepted.body.usage.id}`, { key });
    assert.deepEqual([polled.status, polled.body.error.code], [503, "planning_unavailable"]);
    assert.equal(await drain(app.context, app.actions.metered), 0);
    assert.equal(chat.requests.length, 1);
  }, { env: chat.env });
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 0, messages: 0 });
  await assertSettled(sql);
});

oneEngineTest("a stop gives back the leases of work that waits for a plan", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const [north, south] = await recordCompanies(sql);
  const heard = Promise.withResolvers<void>();
  await using mute = startRawHost(({ hungUp }) => {
    heard.resolve();
    return hungUp;
  });
  const env = { PLANNER_URL: mute.url, PLANNER_MODEL: "planner-1" };
  await withApp(db, async ({ app, search }) => {
    const waiting = search({ query: "freezer" }, { key, request_key: "k" });
    await heard.promise;
    await app.close();
    const { status, headers, body } = await waiting;
    assert.deepEqual([status, body.error.code], [503, "unavailable"]);
    assert.equal(headers.get("retry-after"), "1");
  }, { env });
  await sql`select pgmq.set_vt('operations', msg_id, 0) from pgmq.q_operations`;
  await using chat = startChat(() => ({ terms: ["freezer"] }));
  await withApp(db, async ({ app, search }) => {
    const pending = await search({ query: "freezer" }, { key, request_key: "k" });
    assert.deepEqual([pending.status, pending.body.usage.status], [202, "pending"]);
    assert.equal(await drain(app.context, app.actions.metered), 1);
    const { status, body } = await search({ query: "freezer" }, { key, request_key: "k" });
    assert.equal(status, 200);
    assert.deepEqual(idsOf(body).sort(), [north!.company_id, south!.company_id].sort());
  }, { env: chat.env });
  await assertSettled(sql);
});

oneEngineTest(
  "no log contains the key, the query or the plan of a planner",
  async ({ db, sql }) => {
    const { key } = await createCaller(sql);
    await recordCompanies(sql);
    const secret = { query: "zyxwv freezers", term: "vutsr" };
    for (const level of ["info", "debug"] as const) {
      const lines: string[] = [];
      let answers: (string | object | Response)[] = [
        { terms: [secret.term] },
        secret.term,
        { terms: [secret.term], [secret.term]: 1 },
        Response.json({ error: { message: `${secret.query} ${CHAT_KEY}` } }, { status: 400 }),
        Response.redirect(`http://${secret.term}.example/${CHAT_KEY}`),
      ];
      await using chat = startChat(() => answers.shift()!);
      const env = { ...chat.env, PLANNER_URL: `${chat.env.PLANNER_URL}?key=${CHAT_KEY}` };
      await withApp(db, async ({ search }) => {
        for (let n = 0; answers.length > 0; n++) {
          await search({ query: secret.query }, { key, request_key: `${level} ${n}` });
        }
        answers = [];
      }, { env, log: createLog(level, (line) => lines.push(line)) });
      const warned = lines.filter((line) => JSON.parse(line).level === "warn");
      assert.deepEqual(warned.map((line) => JSON.parse(line).fault), [
        "did not answer with a plan",
        "did not answer with a plan",
        "answered with status 400",
        "answered with status 302",
      ]);
      // Debug lines describe the plan by counts, kinds and countries. Other lines do not describe it.
      const public_lines = lines.filter((line) => JSON.parse(line).level !== "debug").join("");
      assert.ok(!public_lines.includes(secret.term), public_lines);
      for (const hidden of [CHAT_KEY, key, secret.query]) {
        assert.ok(!lines.join("").includes(hidden));
      }
      assert.ok(!public_lines.includes("zyxwv"), public_lines);
    }
  },
);
