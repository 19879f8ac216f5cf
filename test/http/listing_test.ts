import assert from "node:assert/strict";
import { ObservationListResult } from "../../src/contract/listing.ts";
import { setSource, withdrawObservation } from "../../src/ingest/record/withdraw.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { assertSettled, countRows } from "../support/operations.ts";

const LONG_AGO = "2020-01-01T00:00:00Z";
const company = { name: "North", domains: ["north.example"] };

function list(
  { ask }: TestApp,
  { key, request_key, ...parameters }: Record<string, string | string[]>,
) {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${encodeURIComponent(one)}`)
  );
  return ask(`/api/observations?${query.join("&")}`, {
    key: key as string,
    request_key: request_key as string,
  });
}

const idsOf = (body: { observations: { id: number }[] }) => body.observations.map(({ id }) => id);

oneEngineTest("a listing shows observations since a time, oldest first", async ({ db, sql }) => {
  const { key } = await createCaller(sql, { terms: { page_limit: 1 } });
  const [one] = await record(sql, [{ company }]);
  const [two] = await record(sql, [{ company, kind: "funding_round" }]);
  await record(sql, [{ company: { name: "South", domains: ["south.example"] } }]);
  await withApp(db, async (app) => {
    const domains = ["NORTH.example", "none.example"];
    const first = await list(app, { key, request_key: "1", "domains[]": domains, since: LONG_AGO });
    assert.equal(first.status, 200, JSON.stringify(first.body));
    ObservationListResult.parse(first.body);
    assert.deepEqual(idsOf(first.body), [one!.observation_id, two!.observation_id]);
    assert.deepEqual(first.body.observations[0].company, { id: one!.company_id, name: "North" });
    assert.deepEqual(first.body.domains, [
      { hostname: "none.example", status: "not_found" },
      { hostname: "north.example", status: "found" },
    ]);
    assert.deepEqual([first.body.usage.delivered_units, first.body.next_cursor], [1, null]);
    const since = first.body.as_of;
    const later = await list(app, { key, request_key: "2", "domains[]": domains, since });
    assert.deepEqual(idsOf(later.body), []);
    const [three] = await record(sql, [{ company }]);
    const again = await list(app, { key, request_key: "3", "domains[]": domains, since });
    assert.deepEqual(idsOf(again.body), [three!.observation_id]);
    const kinds = await list(app, {
      key,
      request_key: "4",
      "domains[]": domains,
      since: LONG_AGO,
      "kinds[]": ["funding_round", "partnership"],
    });
    assert.deepEqual(idsOf(kinds.body), [two!.observation_id]);
    await withdrawObservation(sql, two!.observation_id);
    const replay = await list(app, {
      key,
      request_key: "4",
      "domains[]": domains.toReversed(),
      since: "2019-12-31T19:00:00-05:00",
      "kinds[]": ["partnership", "funding_round"],
    });
    assert.deepEqual([idsOf(replay.body), replay.body.withheld_units], [[], 1]);
    assert.equal(replay.headers.get("idempotency-replayed"), "true");
  });
  await assertSettled(sql);
});

oneEngineTest("the pages of a listing omit later observations", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  // There are two batches of three observations.
  const batches = [];
  for (let n = 0; n < 2; n++) {
    batches.push(await record(sql, [{ company }, { company }, { company }]));
  }
  const ids = batches.flat().map((one) => one.observation_id);
  await withApp(db, async (app) => {
    const request = { key, "domains[]": "north.example", since: LONG_AGO, limit: "2" };
    const seen: number[] = [];
    let cursor: string | null = null;
    let as_of = "";
    for (let page = 1; page <= 3; page++) {
      const parameters = { ...request, request_key: `page ${page}`, ...cursor ? { cursor } : {} };
      const { status, body } = await list(app, parameters);
      assert.equal(status, 200, JSON.stringify(body));
      if (page === 1) await record(sql, [{ company }]);
      seen.push(...idsOf(body));
      // A poller that uses as_of instead of the cursor may get observations twice, but misses none.
      const skipping = await list(app, {
        ...request,
        limit: "100",
        request_key: `skipping ${page}`,
        since: body.as_of,
      });
      const missed = ids.filter((id) => !seen.includes(id) && !idsOf(skipping.body).includes(id));
      assert.deepEqual(missed, [], `page ${page}`);
      ({ next_cursor: cursor, as_of } = body);
    }
    assert.deepEqual(seen, ids);
    assert.equal(cursor, null);
    const rest = await list(app, { ...request, request_key: "rest", since: as_of });
    assert.equal(rest.body.observations.length, 1);
  });
  await assertSettled(sql);
});

oneEngineTest("the pages of a listing omit what a company gains meanwhile", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const south = { name: "South", external_id: "s", domains: ["south.example"] };
  const [early] = await record(sql, [{ company: south, external_id: "early" }]);
  const [one, two] = await record(sql, [{ company }, { company }]);
  await withApp(db, async (app) => {
    const request = { key, "domains[]": "north.example", since: LONG_AGO, limit: "1" };
    const first = await list(app, { ...request, request_key: "1" });
    assert.deepEqual(idsOf(first.body), [one!.observation_id]);
    // The earlier observation of South is listed again for its new hostname.
    const [giving] = await record(sql, [{ company: { ...south, domains: company.domains } }]);
    const cursor = first.body.next_cursor;
    const last = await list(app, { ...request, request_key: "2", cursor });
    assert.deepEqual([idsOf(last.body), last.body.next_cursor], [[two!.observation_id], null]);
    const later = await list(app, { ...request, request_key: "3", since: last.body.as_of });
    assert.deepEqual(idsOf(later.body), [early!.observation_id]);
    // A revision after that is listed as well.
    const observed_fact = "A hall is open.";
    await record(sql, [{ company: south, external_id: "early", observed_fact }]);
    const since = later.body.as_of;
    const revised = await list(app, { ...request, request_key: "4", since, limit: "5" });
    assert.deepEqual(idsOf(revised.body), [giving!.observation_id, early!.observation_id]);
  });
});

oneEngineTest(
  "a poller that follows as_of gets every observation of concurrent writers once",
  async (t) => {
    const { db, sql } = t;
    const { key } = await createCaller(sql, {
      terms: { request_units: 10_000, delivered_units: 10_000 },
    });
    await record(sql, [{ company }]);
    await withApp(db, async (app) => {
      const seen: number[] = [];
      let since = LONG_AGO;
      let polls = 0;
      const poll = async () => {
        let cursor: string | null = null;
        do {
          const { body } = await list(app, {
            key,
            request_key: `poll ${polls++}`,
            "domains[]": "north.example",
            since,
            limit: "7",
            ...cursor ? { cursor } : {},
          });
          seen.push(...idsOf(body));
          cursor = body.next_cursor;
          if (cursor === null) since = body.as_of;
        } while (cursor !== null);
      };
      let writing = 4;
      const writer = async () => {
        for (let n = 0; n < 8; n++) await record(sql, [{ company }, { company }, { company }]);
        writing--;
      };
      const writers = Promise.all([writer(), writer(), writer(), writer()]);
      while (writing > 0) await poll();
      await writers;
      await poll();
      const rows = await sql<{ id: number }[]>`
      select id from observations order by recorded_at, id
    `;
      assert.deepEqual(seen, rows.map(({ id }) => id));
    });
  },
);

oneEngineTest("a poller gets observations of a source that is permitted again", async (t) => {
  const { db, sql } = t;
  const { key } = await createCaller(sql);
  const [one] = await record(sql, [
    { company: { ...company, domains: ["north.example", "only-acme.example"] } },
  ]);
  const [other] = await record(sql, [{ company, source: "other-feed" }]);
  await setSource(sql, "acme-feed", false);
  await withApp(db, async (app) => {
    const request = { key, "domains[]": "north.example" };
    const { body } = await list(app, { ...request, request_key: "1", since: LONG_AGO });
    assert.equal(body.observations.length, 1);
    const only = { key, "domains[]": "only-acme.example" };
    const none = await list(app, { ...only, request_key: "only 1", since: LONG_AGO });
    assert.deepEqual(idsOf(none.body), []);
    // A source that is permitted already is not listed again.
    for (const source of ["acme-feed", "other-feed"]) await setSource(sql, source, true);
    const later = await list(app, { ...request, request_key: "2", since: body.as_of });
    assert.deepEqual(idsOf(later.body), [one!.observation_id]);
    // The company has a hostname of this source again, and with it the other source's observation.
    const gained = await list(app, { ...only, request_key: "only 2", since: none.body.as_of });
    assert.deepEqual(idsOf(gained.body), [one!.observation_id, other!.observation_id]);
  });
});

oneEngineTest(
  "hostnames without coverage are queued once per interval for sources that refresh hostnames",
  async (t) => {
    const { db, sql } = t;
    const { key } = await createCaller(sql);
    await record(sql, [{ company }, { source: "silent-feed" }, { source: "closed-feed" }]);
    await sql`
    update sources set hostname_refresh_interval = interval '1 day'
    where name in ('acme-feed', 'closed-feed')
  `;
    await sql`update sources set permitted = false where name = 'closed-feed'`;
    const queued = async () =>
      (await sql<{ message: object }[]>`select message from pgmq.q_refreshes order by msg_id`)
        .map(({ message }) => message);
    await withApp(db, async (app) => {
      const request = { key, "domains[]": ["none.example", "north.example"], since: LONG_AGO };
      const expected = [{ source: "acme-feed", hostname: "none.example" }];
      await list(app, { ...request, request_key: "1" });
      assert.deepEqual(await queued(), expected);
      await list(app, { ...request, request_key: "1" });
      await list(app, { ...request, request_key: "2" });
      await app.ask("/api/companies?domains[]=none.example", { key, request_key: "3" });
      assert.deepEqual(await queued(), expected);
      await sql`update hostname_refreshes set queued_at = queued_at - interval '1 day'`;
      await app.ask("/api/companies?domains[]=none.example", { key, request_key: "4" });
      assert.deepEqual(await queued(), [...expected, ...expected]);
    });
  },
);

const MANY = Array.from({ length: 101 }, (_, n) => `d${n}.example`);
const GOOD = { "domains[]": "north.example", since: LONG_AGO };
const BAD_LISTINGS: [Record<string, string | string[]>, string, string][] = [
  [{ since: LONG_AGO }, "invalid_search", "domains"],
  [{ ...GOOD, "domains[]": MANY }, "invalid_search", "domains"],
  [{ ...GOOD, "domains[]": "http://a.example" }, "invalid_search", "domains[0]"],
  [{ "domains[]": "a.example" }, "invalid_search", "since"],
  [{ ...GOOD, since: "2026-03-01" }, "invalid_search", "since"],
  [{ ...GOOD, since: "2026-03-01T00:00:00" }, "invalid_search", "since"],
  [{ ...GOOD, since: "2026-02-30T00:00:00Z" }, "invalid_search", "since"],
  [{ ...GOOD, since: [LONG_AGO, LONG_AGO] }, "invalid_search", "since"],
  [{ ...GOOD, "kinds[]": "gossip" }, "invalid_search", "kinds[0]"],
  [{ ...GOOD, limit: "0" }, "invalid_search", "limit"],
  [{ ...GOOD, limit: "101" }, "invalid_search", "limit"],
  [{ ...GOOD, limit: "ten" }, "invalid_search", "limit"],
  [{ ...GOOD, cursor: "x" }, "invalid_cursor", "cursor"],
  [{ ...GOOD, cursor: "x".repeat(32) }, "invalid_cursor", "cursor"],
  [{ ...GOOD, background: "true" }, "invalid_search", "background"],
  [{ ...GOOD, domains: "a.example" }, "invalid_search", "domains"],
];

oneEngineTest("every refused listing names its faulty field, at no cost", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async (app) => {
    for (const [parameters, code, field] of BAD_LISTINGS) {
      const { status, body } = await list(app, { key, request_key: "k", ...parameters });
      const shown = JSON.stringify(parameters).slice(0, 100);
      assert.deepEqual([status, body.error?.code], [422, code], shown);
      assert.ok(body.error.message.includes(field), `${shown}: ${body.error.message}`);
    }
  });
  assert.deepEqual(await countRows(sql), { operations: 0, settlements: 0, messages: 0 });
});
