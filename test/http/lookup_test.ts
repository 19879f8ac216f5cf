import assert from "node:assert/strict";
import { CompanyLookupResult } from "../../src/contract/lookup.ts";
import { suppressCompany, withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import { stoppedClock, withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { assertSettled, countRows } from "../support/operations.ts";

/** Companies to look up. Two of them have the hostname `shared.example`. */
const COMPANIES = [
  { company: { name: "North", external_id: "n", domains: ["north.example", "shared.example"] } },
  { company: { name: "South", external_id: "s", domains: ["shared.example"] } },
  { company: { name: "Nowhere" } },
];

oneEngineTest("a lookup gives one outcome for each target and charges companies", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const [north, south, nowhere] = await record(sql, COMPANIES);
  await suppressCompany(sql, nowhere!.company_id);
  await withApp(db, async ({ ask }) => {
    const [n, s, gone] = [north!.company_id, south!.company_id, nowhere!.company_id];
    const byId = await ask(`/api/companies?ids[]=${s}&ids[]=${n}&ids[]=${gone}&ids[]=${n}`, {
      key,
      request_key: "ids",
    });
    assert.equal(byId.status, 200, JSON.stringify(byId.body));
    CompanyLookupResult.parse(byId.body);
    assert.deepEqual(byId.body.lookups, [
      { id: n, status: "found", company_id: n },
      { id: s, status: "found", company_id: s },
      { id: gone, status: "not_found" },
    ]);
    assert.deepEqual(byId.body.companies.map((c: { name: string }) => c.name), ["North", "South"]);
    assert.equal(byId.body.usage.delivered_units, 2);

    const domains = ["SHARED.example.", "none.example", " north.example"];
    const query = domains.map((d) => `domains[]=${encodeURIComponent(d)}`).join("&");
    const byDomain = await ask(`/api/companies?${query}`, { key, request_key: "domains" });
    CompanyLookupResult.parse(byDomain.body);
    assert.deepEqual(byDomain.body.lookups, [
      { hostname: "none.example", status: "not_found" },
      { hostname: "north.example", status: "found", company_id: n },
      { hostname: "shared.example", status: "ambiguous" },
    ]);
    assert.deepEqual(byDomain.body.companies.map((c: { id: number }) => c.id), [n]);
    assert.deepEqual(
      byDomain.body.companies[0].domains.map((d: { hostname: string }) => d.hostname).sort(),
      ["north.example", "shared.example"],
    );
    assert.equal(byDomain.headers.get("idempotency-replayed"), null);
    const again = domains.toReversed().map((d) => `domains[]=${encodeURIComponent(d)}`).join("&");
    const replay = await ask(`/api/companies?${again}`, { key, request_key: "domains" });
    assert.deepEqual(replay.body, byDomain.body);
    assert.equal(replay.headers.get("idempotency-replayed"), "true");
    const conflict = await ask(`/api/companies?ids[]=${n}`, { key, request_key: "domains" });
    assert.equal(conflict.body.error.code, "idempotency_conflict");
  }, { now: stoppedClock() });
  await assertSettled(sql);
});

oneEngineTest("a hostname of two companies delivers neither and charges for neither", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  await record(sql, COMPANIES);
  await withApp(db, async ({ ask }) => {
    const { body } = await ask("/api/companies?domains[]=shared.example", {
      key,
      request_key: "k",
    });
    assert.deepEqual(body.lookups, [{ hostname: "shared.example", status: "ambiguous" }]);
    assert.deepEqual([body.companies, body.usage.delivered_units], [[], 0]);
  });
  await assertSettled(sql);
});

oneEngineTest("a company withheld after its lookup is unavailable in the replay", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const [north] = await record(sql, COMPANIES);
  await withApp(db, async ({ ask }) => {
    const path = `/api/companies?ids[]=${north!.company_id}`;
    const first = await ask(path, { key, request_key: "k" });
    await withdrawObservation(sql, north!.observation_id);
    const replay = await ask(path, { key, request_key: "k" });
    assert.deepEqual(replay.body.lookups, [{ id: north!.company_id, status: "unavailable" }]);
    assert.deepEqual([replay.body.withheld_units, replay.body.companies], [1, []]);
    assert.deepEqual(replay.body.usage, first.body.usage);
    const poll = await ask(`/api/usages/${first.body.usage.id}`, { key });
    assert.deepEqual([poll.status, poll.body], [200, replay.body]);
  }, { now: stoppedClock() });
});

oneEngineTest("a hostname that its company has lost is unavailable in the replay", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const domains = ["north.example", "other.example"];
  await record(sql, [{ company: { name: "North", domains } }]);
  await withApp(db, async ({ ask }) => {
    const path = "/api/companies?domains[]=north.example&domains[]=other.example";
    const statusesNow = async () => {
      const { body } = await ask(path, { key, request_key: "k" });
      const statuses = body.lookups.map(({ status }: { status: string }) => status);
      return [...statuses, body.withheld_units, body.companies.length];
    };
    assert.deepEqual(await statusesNow(), ["found", "found", 0, 1]);
    await sql`
      update company_domains set active = false
      where domain_id = (select id from domains where hostname = 'north.example')
    `;
    assert.deepEqual(await statusesNow(), ["unavailable", "found", 0, 1]);
    await sql`update company_domains set active = false`;
    assert.deepEqual(await statusesNow(), ["unavailable", "unavailable", 1, 0]);
  });
});

oneEngineTest("a hostname that only another company still has is unavailable", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const north = { name: "North", external_id: "n" };
  const domains = ["north.example"];
  const [stating] = await record(sql, [{ company: { ...north, domains } }, { company: north }]);
  await withApp(db, async ({ ask }) => {
    const path = "/api/companies?domains[]=north.example";
    await ask(path, { key, request_key: "k" });
    await withdrawObservation(sql, stating!.observation_id);
    await record(sql, [{ company: { name: "South", external_id: "s", domains } }]);
    const { body } = await ask(path, { key, request_key: "k" });
    assert.deepEqual(body.lookups, [{ hostname: "north.example", status: "unavailable" }]);
    assert.deepEqual([body.withheld_units, body.companies], [1, []]);
  });
});

oneEngineTest("a hostname that moved to another delivered company is unavailable", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const north = { name: "North", external_id: "n" };
  const south = { name: "South", external_id: "s" };
  const [stating] = await record(sql, [
    { company: { ...north, domains: ["north.example"] } },
    { company: north },
    { company: { ...south, domains: ["south.example"] } },
  ]);
  await withApp(db, async ({ ask }) => {
    const path = "/api/companies?domains[]=north.example&domains[]=south.example";
    await ask(path, { key, request_key: "k" });
    await withdrawObservation(sql, stating!.observation_id);
    await record(sql, [{ company: { ...south, domains: ["north.example"] } }]);
    const { body } = await ask(path, { key, request_key: "k" });
    const statuses = body.lookups.map(({ status }: { status: string }) => status);
    assert.deepEqual(statuses, ["unavailable", "found"]);
    assert.equal(body.companies.length, 1);
  });
});

const manyOf = (name: string) =>
  Array.from({ length: 21 }, (_, n) => `${name}[]=${n + 1}`).join("&");
const BAD_LOOKUPS: [query: string, field: string][] = [
  ["", "ids"],
  ["ids[]=1&domains[]=a.example", "ids and domains"],
  ["ids[]=0", "ids[0]"],
  ["ids[]=-1", "ids[0]"],
  ["ids[]=1&ids[]=x", "ids[1]"],
  ["ids[]=1&ids[]=9007199254740992", "ids[1]"],
  ["ids[]=", "ids[0]"],
  [manyOf("ids"), "ids"],
  [manyOf("domains"), "domains"],
  ["domains[]=http://a.example", "domains[0]"],
  ["domains[]=a@b.example", "domains[0]"],
  ["domains[]=", "domains[0]"],
  ["ids=1", "ids"],
  ["ids[]=1&limit=5", "limit"],
  ["ids[]=1&ids[0]=2", "ids[0]"],
];

oneEngineTest(
  "every refused lookup has the code invalid_lookup, names its field and costs nothing",
  async (t) => {
    const { db, sql } = t;
    const { key } = await createCaller(sql);
    await withApp(db, async ({ app, ask }) => {
      const head = await app.fetch(
        new Request("http://127.0.0.1/api/companies?ids[]=1", {
          method: "HEAD",
          headers: { "authorization": `Bearer ${key}`, "idempotency-key": "k" },
        }),
      );
      assert.deepEqual([head.status, head.headers.get("allow")], [405, "GET"]);
      for (const [query, field] of BAD_LOOKUPS) {
        const { status, body } = await ask(`/api/companies?${query}`, { key, request_key: "k" });
        assert.deepEqual([status, body.error.code], [422, "invalid_lookup"], query);
        assert.ok(body.error.message.includes(field), `${query}: ${body.error.message}`);
      }
      const message = async (query: string) => {
        const { body } = await ask(`/api/companies?${query}`, { key, request_key: "k" });
        return body.error.message;
      };
      assert.equal(
        await message("domains=a.example&domains=b.example"),
        "domains: there is no such field here, write domains[], once for each value.",
      );
      assert.equal(
        await message("ids=0&name=North&name=South"),
        "ids: there is no such field here, write ids[], once for each value; " +
          "name: there is no such field here; ids[0]: a positive integer.",
      );
      const keyless = await ask("/api/companies?ids[]=1", { key });
      assert.equal(keyless.body.error.code, "invalid_lookup");
    });
    assert.deepEqual(await countRows(sql), { operations: 0, settlements: 0, messages: 0 });
  },
);
