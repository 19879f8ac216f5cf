import assert from "node:assert/strict";
import { forOneSecond } from "../../src/repeat.ts";
import { CompanyResult, ObservationResult } from "../../src/contract/observation.ts";
import { ErrorEnvelope, UsageReport } from "../../src/contract/operation.ts";
import { createKey } from "../../src/accounts/credential.ts";
import { revokeApiKey } from "../../src/accounts/key.ts";
import { setSubscription } from "../../src/accounts/account.ts";
import { suppressCompany, withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import { stoppedClock, type TestApp, withApp } from "../support/app.ts";
import { databaseTest, oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { countRows } from "../support/operations.ts";

oneEngineTest("a company read shows the latest three and their hostnames", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const company = { name: "Northwind", external_id: "n1" };
  const parts = [1, 2, 3, 4].map((day) => ({
    company: { ...company, domains: [`d${day}.example`] },
    occurred_at: `2026-03-0${day}T00:00:00Z`,
    demand_class: day === 4 ? "proxy" as const : "structural" as const,
    ...day === 4 && { observed_at: new Date().toISOString() },
  }));
  const recorded = await record(sql, parts);
  await withApp(db, async ({ ask }) => {
    const { status, body } = await ask(`/api/companies/${recorded[0]!.company_id}`, { key });
    assert.equal(status, 200);
    CompanyResult.parse(body);
    assert.deepEqual(
      body.company.observations.map((o: { id: number }) => o.id),
      [3, 2, 1].map((n) => recorded[n]!.observation_id),
    );
    assert.deepEqual(
      body.company.domains.map((d: { hostname: string }) => d.hostname).sort(),
      ["d2.example", "d3.example", "d4.example"],
    );
    assert.equal(body.company.observations[0].company, undefined);
    // One of them is recent, and no structural one.
    assert.deepEqual(body.company.limitations, ["single_source"]);
    await withdrawObservation(sql, recorded[3]!.observation_id);
    const after = await ask(`/api/companies/${recorded[0]!.company_id}`, { key });
    const limitations = ["single_source", "structural_only", "stale_evidence"];
    assert.deepEqual(after.body.company.limitations, limitations);
    assert.deepEqual(
      after.body.company.observations.map((o: { id: number }) => o.id),
      [2, 1, 0].map((n) => recorded[n]!.observation_id),
    );
    await suppressCompany(sql, recorded[0]!.company_id);
    const gone = await ask(`/api/companies/${recorded[0]!.company_id}`, { key });
    assert.deepEqual([gone.status, gone.body.error.code], [404, "company_not_found"]);
  });
});

oneEngineTest(
  "a company read shows dated observations before undated ones",
  async ({ db, sql }) => {
    const { key } = await createCaller(sql);
    const company = { name: "Northwind", external_id: "n1" };
    const dates = [null, "2020-01-01T00:00:00Z", null, null];
    const parts = dates.map((occurred_at, n) => ({
      company,
      occurred_at,
      kind: "company_profile",
      // The undated observation that was observed last is shown before the other undated ones.
      ...n === 0 && { observed_at: "2026-03-05T09:00:00Z" },
    }));
    const recorded = await record(sql, parts as Parameters<typeof record>[1]);
    await withApp(db, async ({ ask }) => {
      const { body } = await ask(`/api/companies/${recorded[0]!.company_id}`, { key });
      assert.deepEqual(
        body.company.observations.map((o: { id: number }) => o.id),
        [1, 0, 3].map((n) => recorded[n]!.observation_id),
      );
    });
  },
);

oneEngineTest("an observation read shows its company, but nothing expired", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const [one, expired] = await record(sql, [
    { company: { name: "Northwind" } },
    { expires_at: "2026-04-01T00:00:00Z" },
  ]);
  await withApp(db, async ({ ask }) => {
    const { status, body } = await ask(`/api/observations/${one!.observation_id}`, { key });
    assert.equal(status, 200);
    ObservationResult.parse(body);
    assert.deepEqual(body.observation.company, { id: one!.company_id, name: "Northwind" });
    const gone = await ask(`/api/observations/${expired!.observation_id}`, { key });
    assert.deepEqual([gone.status, gone.body.error.code], [404, "observation_not_found"]);
  });
});

oneEngineTest("the usage report is shared by the keys of a subscription", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ ask, search }) => {
    await search({ query: "freezer" }, { key, request_key: "k" });
    const { status, body } = await ask("/api/usage", { key });
    assert.equal(status, 200);
    UsageReport.parse(body);
    assert.equal(body.subscription.plan, "builder");
    assert.deepEqual(body.usage, {
      request_units: 1,
      weekly_request_units: 1,
      delivered_units: 0,
      weekly_delivered_units: 0,
      fresh_evidence_units: 0,
    });
    assert.deepEqual(body.limits, {
      request_units: 120,
      weekly_request_units: 2000,
      delivered_units: 1000,
      weekly_delivered_units: 10000,
    });
  }, { now: stoppedClock() });
});

databaseTest("concurrent usage reports each belong to their caller", async (t) => {
  const { db, sql } = t;
  const callers = [await createCaller(sql), await createCaller(sql), await createCaller(sql)];
  await withApp(db, async ({ ask, search }) => {
    for (const [n, { key }] of callers.entries()) {
      for (let k = 0; k < n; k++) {
        await search({ query: "freezer" }, { key, request_key: `${k}` });
      }
    }
    const unknown = createKey();
    const keys = [0, 1, 2, 2, 1, 0].flatMap((n) => [callers[n]!.key, unknown]);
    const answers = await Promise.all(keys.map((key) => ask("/api/usage", { key })));
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.usage?.request_units ?? body.error.code]),
      [0, 1, 2, 2, 1, 0].flatMap((n) => [[200, n], [401, "invalid_api_key"]]),
    );
  }, { now: stoppedClock() });
});

databaseTest("concurrent reads each get the record that they ask for", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const recorded = await record(sql, [{}, {}, {}]);
  const unknown = createKey();
  await withApp(db, async ({ ask }) => {
    // The process has cached the texts of the first observation, but not of the others.
    await ask(`/api/observations/${recorded[0]!.observation_id}`, { key });
    for (const kind of ["company", "observation"] as const) {
      const ids = recorded.map((one) => one[`${kind}_id`]);
      const asked = [...ids, 99_999, ...ids.toReversed()];
      const path = kind === "company" ? "companies" : "observations";
      const answers = await Promise.all(
        asked.flatMap((id) => [key, unknown].map((key) => ask(`/api/${path}/${id}`, { key }))),
      );
      assert.deepEqual(
        answers.map(({ status, body }) => body[kind]?.id ?? status),
        asked.flatMap((id) => [id === 99_999 ? 404 : id, 401]),
      );
    }
  });
});

oneEngineTest("an operation of another account does not seem to exist", async ({ db, sql }) => {
  const [one, two] = [await createCaller(sql), await createCaller(sql)];
  await withApp(db, async ({ ask, search }) => {
    const { body } = await search({ query: "freezer" }, { key: one.key, request_key: "k" });
    const foreign = await ask(`/api/usages/${body.usage.id}`, { key: two.key });
    const unknown = await ask("/api/usages/99999", { key: two.key });
    assert.equal(foreign.status, 404);
    assert.deepEqual(foreign.body, unknown.body);
    assert.equal(foreign.body.error.code, "usage_not_found");
  });
});

const PATHS = "/api/companies/1 /api/companies/x /api/observations/1 /api/usages/1 /api/usage"
  .split(" ");

oneEngineTest("every path requires a key first, and then a subscription", async ({ db, sql }) => {
  const revoked = await createCaller(sql);
  const lapsed = await createCaller(sql);
  await revokeApiKey(sql, revoked.key_id);
  await setSubscription(sql, { account_id: lapsed.account_id, status: "past_due" });
  await withApp(db, async ({ ask }) => {
    const paths = [...PATHS.map((path) => [path, "GET"]), ["/api/companies/search", "POST"]];
    for (const [path, method] of paths) {
      const body = method === "POST" ? { nonsense: true } : undefined;
      for (const key of [undefined, "ce_nonsense", createKey(), revoked.key]) {
        const answer = await ask(path!, { method, key, body });
        assert.deepEqual([answer.status, answer.body.error.code], [401, "invalid_api_key"], path);
        assert.equal(answer.headers.get("www-authenticate"), "Bearer");
      }
      const answer = await ask(path!, { method, key: lapsed.key, body });
      assert.deepEqual([answer.status, answer.body.error.code], [402, "subscription_required"]);
    }
  });
  assert.deepEqual(await countRows(sql), { operations: 0, settlements: 0, messages: 0 });
});

oneEngineTest("faulty ids and parameters get the right error code", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const cases: [string, number, string][] = [
    ["/api/companies/abc", 422, "invalid_lookup"],
    ["/api/companies/0", 422, "invalid_lookup"],
    ["/api/companies/-1", 422, "invalid_lookup"],
    ["/api/companies/1.5", 422, "invalid_lookup"],
    ["/api/observations/abc", 422, "invalid_search"],
    ["/api/usages/abc", 422, "invalid_search"],
    ["/api/companies/1?x=1", 422, "invalid_lookup"],
    ["/api/usage?x=1", 422, "invalid_search"],
    ["/api/companies/99999999999999999999999", 404, "company_not_found"],
    ["/api/observations/99999999999999999999999", 404, "observation_not_found"],
    ["/api/usages/99999999999999999999999", 404, "usage_not_found"],
    ["/api/nothing", 404, "not_found"],
  ];
  await withApp(db, async ({ ask }) => {
    for (const [path, status, code] of cases) {
      const answer = await ask(path, { key });
      ErrorEnvelope.parse(answer.body);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code], path);
    }
  });
});

oneEngineTest("HEAD states the length of the body that GET has", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const headers = { authorization: `Bearer ${key}` };
  await withApp(db, async ({ app }) => {
    for (const path of ["/api/usage", "/api/companies/1", "/healthz", "/nothing"]) {
      const fetched = (method: string) =>
        app.fetch(new Request(`http://127.0.0.1${path}`, { method, headers }));
      const { byteLength } = await (await fetched("GET")).arrayBuffer();
      const head = await fetched("HEAD");
      assert.equal(head.headers.get("content-length"), String(byteLength), path);
      assert.equal(await head.text(), "");
    }
  });
});

oneEngineTest("the transport refuses unsupported methods, media types and sizes", async (t) => {
  const { key } = await createCaller(t.sql);
  await withApp(t.db, async ({ ask, app }: TestApp) => {
    const method = await ask("/api/usage", { method: "DELETE", key });
    assert.deepEqual([method.status, method.headers.get("allow")], [405, "GET, HEAD"]);
    const search = await ask("/api/companies/search", { method: "PUT", key });
    assert.deepEqual([search.status, search.headers.get("allow")], [405, "POST"]);
    // GET does not read "search" as the id of a company.
    const read = await ask("/api/companies/search", { key });
    assert.deepEqual([read.status, read.headers.get("allow")], [405, "POST"]);
    for (const type of ["text/json", "application/jsonX", "application/json; charset=iso-8859-1"]) {
      const { status, body } = await ask("/api/companies/search", {
        ...{ method: "POST", key, request_key: "k", body: "{}" },
        headers: { "content-type": type },
      });
      assert.deepEqual([status, body.error.code], [415, "unsupported_media_type"], type);
    }
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const large = await app.fetch(
      new Request("http://127.0.0.1/api/companies/search", {
        method: "POST",
        headers: {
          "authorization": `Bearer ${key}`,
          "idempotency-key": "k",
          "content-type": "application/json",
        },
        body: endless,
      }),
    );
    assert.equal(large.status, 413);
    assert.equal((await large.json()).error.code, "payload_too_large");
    assert.ok(sent < 1_000_000, `${sent} bytes were taken`);
    for (const path of ["/healthz", "/readyz"]) assert.equal((await ask(path)).status, 200);
    app.drain();
    assert.equal((await ask("/readyz")).status, 503);
    assert.equal((await ask("/healthz")).status, 200);
  });
});

Deno.test("forOneSecond() asks once in a second, and repeats answers and errors", async () => {
  let time = 0;
  let asked = 0;
  const read = forOneSecond(() => {
    asked++;
    return asked === 2 ? Promise.reject(new Error("down")) : Promise.resolve(asked);
  }, () => time);
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1]);
  time = 999;
  assert.equal(await read(), 1);
  time = 1000;
  await assert.rejects(read(), { message: "down" });
  await assert.rejects(read(), { message: "down" });
  time = 2000;
  assert.equal(await read(), 3);
  assert.equal(asked, 3);
});
