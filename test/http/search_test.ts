import assert from "node:assert/strict";
import { CompanySearchResult } from "../../src/contract/search.ts";
import { PendingResult } from "../../src/contract/operation.ts";
import { setSource, withdrawEvidence } from "../../src/ingest/record/withdraw.ts";
import { stoppedClock, withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { assertSettled, countRows } from "../support/operations.ts";
import { untilEnded } from "../support/waiting.ts";

oneEngineTest("a search returns companies with evidence, and its units", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const [one] = await record(sql, [{
    company: { name: "Northwind Foods", domains: ["northwind.example"] },
    observed_fact: "A second freezer warehouse is being built.",
  }, { observed_fact: "A dental practice opens.", company: { name: "Smile" } }]);
  await withApp(db, async ({ search }) => {
    const answer = await search({ query: "freezer warehouse" }, { key, request_key: "k1" });
    assert.equal(answer.status, 200);
    CompanySearchResult.parse(answer.body);
    const { as_of, ...body } = answer.body;
    assert.ok(Math.abs(Date.parse(as_of) - Date.now()) < 60_000);
    assert.deepEqual(body, {
      usage: {
        id: 1,
        status: "delivered",
        request_key: "k1",
        request_units: 1,
        delivered_units: 1,
        fresh_evidence_units: 0,
      },
      request_allowance: { window_seconds: 3600, window_remaining: 119, weekly_remaining: 1999 },
      coverage_status: "partial",
      limitations: ["limited_source_coverage", "dataset_read_only"],
      next_cursor: null,
      delivery_unit: "company",
      withheld_units: 0,
      retrieval: "lexical",
      ranking: "query_relevance_baseline",
      candidate_limit: 100,
      coverage: {
        requested_companies: 10,
        returned_companies: 1,
        stop_reason: "shortlist_exhausted",
        limitations: [],
      },
      companies: [{
        id: one!.company_id,
        name: "Northwind Foods",
        limitations: ["single_source", "stale_evidence"],
        demand_class: "proxy",
        why_it_may_matter: "New halls need refrigeration and racking.",
        match: { query: "freezer warehouse", observation_ids: [one!.observation_id] },
        observations: [{
          id: one!.observation_id,
          kind: "facility_expansion",
          observed_fact: "A second freezer warehouse is being built.",
          why_it_may_matter: "New halls need refrigeration and racking.",
          demand_class: "proxy",
          country: "CA",
          confidence: 0.8,
          occurred_at: "2026-03-01T00:00:00.000Z",
          observed_at: "2026-03-02T09:00:00.000Z",
          expires_at: null,
          evidence: [{
            source_uri: answer.body.companies[0].observations[0].evidence[0].source_uri,
            excerpt: "The company said that it is building a second hall.",
            occurred_at: "2026-03-01T00:00:00.000Z",
            observed_at: "2026-03-02T09:00:00.000Z",
          }],
          categories: ["31-33"],
        }],
      }],
    });
    assert.match(answer.headers.get("request-id")!, /^[0-9a-f-]{36}$/);
    assert.equal(answer.headers.get("idempotency-replayed"), null);
    assert.equal(
      answer.headers.get("ratelimit-policy"),
      '"window";q=120;w=3600, "week";q=2000;w=604800',
    );
    assert.match(
      answer.headers.get("ratelimit")!,
      /^"window";r=119;t=[0-9]+, "week";r=1999;t=[0-9]+$/,
    );
  }, { now: stoppedClock() });
});

oneEngineTest("a retry, a poll and a background call get one answer", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  await withApp(db, async ({ search, ask }) => {
    const filters = { countries: ["US", "CA"], domains: [] };
    const first = await search({ query: " freezer ", filters }, { key, request_key: "k1" });
    const same = { query: "freezer", filters: { countries: ["CA", "US", "CA"] }, limit: 10 };
    const retry = await search({ ...same, cursor: null }, { key, request_key: "k1" });
    assert.deepEqual(retry.body, first.body);
    assert.equal(retry.headers.get("idempotency-replayed"), "true");
    const background = await search({ ...same, background: true }, { key, request_key: "k1" });
    assert.deepEqual([background.status, background.body], [200, first.body]);
    const polled = await ask(`/api/usages/${first.body.usage.id}`, { key });
    assert.deepEqual([polled.status, polled.body], [200, first.body]);
    const changed = await search({ ...same, limit: 9 }, { key, request_key: "k1" });
    assert.equal(changed.body.error.code, "idempotency_conflict");
    assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  }, { now: stoppedClock() });
  await assertSettled(sql);
});

oneEngineTest("background work is accepted, polled and delivered", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await record(sql, [{ observed_fact: "A freezer warehouse." }]);
  await withApp(db, async ({ search, ask }) => {
    const accepted = await search({ query: "freezer", background: true }, {
      key,
      request_key: "k1",
    });
    assert.equal(accepted.status, 202);
    PendingResult.parse(accepted.body);
    const { id } = accepted.body.usage;
    const polled = await untilEnded(() => ask(`/api/usages/${id}`, { key }));
    assert.equal(polled.status, 200);
    assert.equal(CompanySearchResult.parse(polled.body).companies.length, 1);
  }, { workers: 1 });
  await assertSettled(sql);
});

oneEngineTest("all pages come from one shortlist, until a null cursor", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await record(sql, Array.from({ length: 5 }, () => ({ observed_fact: "A freezer warehouse." })));
  await withApp(db, async ({ search }) => {
    const seen: number[] = [];
    let cursor: string | null = null;
    for (let page = 1; page <= 3; page++) {
      const { body } = await search({ query: "freezer", limit: 2, cursor }, {
        key,
        request_key: `page ${page}`,
      });
      seen.push(...body.companies.map((company: { id: number }) => company.id));
      assert.equal(body.coverage.stop_reason, page < 3 ? "limit_reached" : "shortlist_exhausted");
      assert.equal(body.usage.delivered_units, page < 3 ? 2 : 1);
      cursor = body.next_cursor;
      assert.equal(cursor === null, page === 3);
    }
    assert.equal(new Set(seen).size, 5);
  });
  await assertSettled(sql);
});

oneEngineTest("an empty result is a success that costs a request unit", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await withApp(db, async ({ search }) => {
    const { status, body } = await search({ query: "freezer" }, { key, request_key: "k" });
    assert.equal(status, 200);
    assert.deepEqual(body.companies, []);
    assert.equal(body.coverage.stop_reason, "no_match");
    assert.deepEqual([body.usage.request_units, body.usage.delivered_units], [1, 0]);
  });
});

oneEngineTest("withdrawn evidence is gone from the next search and replay", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const uri = "https://news.example/withdrawn";
  const evidence = [{ source_uri: uri, excerpt: "Freezers.", observed_at: "2026-03-02T09:00:00Z" }];
  await record(sql, [
    { observed_fact: "A freezer warehouse.", evidence },
    { observed_fact: "A freezer plant.", source: "other-feed" },
    { observed_fact: "A freezer works." },
  ]);
  await withApp(db, async ({ search, ask, app }) => {
    const ids = (body: { companies: { id: number }[] }) => body.companies.map(({ id }) => id);
    const first = await search({ query: "freezer" }, { key, request_key: "k1" });
    assert.equal(first.body.companies.length, 3);
    await withdrawEvidence(sql, uri);
    // The index may still contain the evidence, but the database decides what is delivered.
    const second = await search({ query: "freezer" }, { key, request_key: "k2" });
    assert.equal(second.body.companies.length, 2);
    assert.equal(second.body.usage.delivered_units, 2);
    const replay = await search({ query: "freezer" }, { key, request_key: "k1" });
    assert.equal(replay.body.withheld_units, 1);
    assert.deepEqual(replay.body.usage, first.body.usage);
    assert.deepEqual(
      ids(replay.body),
      ids(first.body).filter((id) => ids(replay.body).includes(id)),
    );
    await setSource(sql, "other-feed", false);
    const poll = await ask(`/api/usages/${first.body.usage.id}`, { key });
    assert.deepEqual([poll.body.withheld_units, poll.body.companies.length], [2, 1]);
    await setSource(sql, "other-feed", true);
    await app.retriever.source.refresh();
    const third = await search({ query: "freezer" }, { key, request_key: "k3" });
    assert.equal(third.body.companies.length, 2);
  });
  await assertSettled(sql);
});

oneEngineTest("filters apply even if the index lags behind", async ({ db, sql }) => {
  const { key } = await createCaller(sql, { plan: "professional" });
  const [ca, us] = await record(sql, [
    {
      observed_fact: "A freezer warehouse.",
      company: { name: "North", domains: ["north.example", "shared.example"] },
    },
    {
      observed_fact: "A freezer tender.",
      kind: "procurement_request",
      demand_class: "explicit_request",
      country: "US",
      occurred_at: "2026-05-01T00:00:00Z",
      observed_at: "2026-05-02T00:00:00Z",
      company: { name: "South", domains: ["south.example"] },
    },
  ]);
  await withApp(db, async ({ search }) => {
    let n = 0;
    const idsFor = async (filters: object) => {
      const { status, body } = await search({ query: "freezer", filters }, {
        key,
        request_key: `k${n++}`,
      });
      assert.equal(status, 200, JSON.stringify(body));
      return body.companies.map(({ id }: { id: number }) => id).sort();
    };
    const [north, south] = [ca!.company_id, us!.company_id];
    const both = [north, south].sort();
    assert.deepEqual(await idsFor({}), both);
    assert.deepEqual(await idsFor({ countries: ["CA"] }), [north]);
    assert.deepEqual(await idsFor({ countries: ["CA", "US"] }), both);
    assert.deepEqual(await idsFor({ kinds: ["procurement_request"] }), [south]);
    assert.deepEqual(await idsFor({ kinds: ["procurement_request"], countries: ["CA"] }), []);
    assert.deepEqual(await idsFor({ demand_classes: ["proxy"] }), [north]);
    assert.deepEqual(await idsFor({ occurred_after: "2026-03-01T00:00:00Z" }), [south]);
    assert.deepEqual(await idsFor({ occurred_after: "2026-02-28T23:59:59.999Z" }), both);
    assert.deepEqual(await idsFor({ observed_after: "2026-05-02T00:00:00+00:00" }), []);
    assert.deepEqual(await idsFor({ company_ids: [south, 999] }), [south]);
    assert.deepEqual(await idsFor({ exclude_company_ids: [south] }), [north]);
    assert.deepEqual(await idsFor({ company_ids: [south], exclude_company_ids: [south] }), []);
    assert.deepEqual(await idsFor({ domains: [" NORTH.example. "] }), [north]);
    assert.deepEqual(await idsFor({ domains: ["www.north.example"] }), []);
    assert.deepEqual(await idsFor({ domains: ["example"] }), []);
    assert.deepEqual(await idsFor({ exclude_domains: ["shared.example"] }), [south]);
    assert.deepEqual(
      await idsFor({ domains: ["north.example"], exclude_domains: ["shared.example"] }),
      [],
    );
    await sql`update observations set country = 'US' where id = ${ca!.observation_id}`;
    await sql`update company_domains set active = false where company_id = ${south}`;
    assert.deepEqual(await idsFor({ countries: ["CA"] }), []);
    assert.deepEqual(await idsFor({ domains: ["south.example"] }), []);
  });
});

oneEngineTest(
  "a search reports that it has corrected a word, and charges its companies",
  async ({ db, sql }) => {
    const { key } = await createCaller(sql);
    const [warehouse, named] = await record(sql, [
      { observed_fact: "A second freezer warehouse is being built.", company: { name: "North" } },
      { observed_fact: "A dental practice opens.", company: { name: "Splitsecnd Dentists" } },
    ]);
    await withApp(db, async ({ search }) => {
      const ask = async (query: string) => {
        const { body } = await search({ query }, { key, request_key: query });
        CompanySearchResult.parse(body);
        const { companies, limitations, coverage, usage } = body;
        return {
          ids: companies.map(({ id }: { id: number }) => id),
          limitations: limitations.slice(2),
          coverage_limitations: coverage.limitations,
          stop_reason: coverage.stop_reason,
          delivered_units: usage.delivered_units,
        };
      };
      const outcome = { stop_reason: "shortlist_exhausted", delivered_units: 1 };
      const corrected = {
        limitations: ["spelling_changed"],
        coverage_limitations: ["spelling_changed"],
        ...outcome,
      };
      const asWritten = { limitations: [], coverage_limitations: [], ...outcome };
      const ids = [warehouse!.company_id];
      assert.deepEqual(await ask("freezer warehouse"), { ids, ...asWritten });
      assert.deepEqual(await ask("freezer warehuose"), { ids, ...corrected });
      assert.deepEqual(await ask("Splitscend Dentists"), {
        ids: [named!.company_id],
        ...corrected,
      });
      assert.deepEqual(await ask("zzzqqq tenders"), {
        ids: [],
        limitations: [],
        coverage_limitations: [],
        stop_reason: "no_match",
        delivered_units: 0,
      });
    });
    await assertSettled(sql);
  },
);
