/** Tests the later pages of a search by HTTP. The first page freezes the shortlist. */
import assert from "node:assert/strict";
import { withdrawObservation } from "../../../src/ingest/record/withdraw.ts";
import { withApp } from "../../support/app.ts";
import { createCaller, record } from "../../support/factories.ts";
import { conformanceTest } from "./subjects.ts";

const LIMIT = 10;

conformanceTest("later pages continue the frozen shortlist", async ({ db, sql }) => {
  const recorded = await record(
    sql,
    Array.from({ length: 34 }, (_, n) => ({
      observed_fact: "A crane is wanted.",
      company: { name: `Buyer ${n + 100}`, external_id: `${n}` },
    })),
  );
  const expected = recorded.map(({ company_id }) => company_id).toSorted((a, b) => a - b);
  const { key } = await createCaller(sql);
  await withApp(db, async ({ app, search }) => {
    let cursor: string | undefined;
    const pages: number[][] = [];
    do {
      const body = { query: "crane", limit: LIMIT, ...cursor !== undefined && { cursor } };
      const answer = await search(body, { key, request_key: `page ${pages.length}` });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const { companies, next_cursor, coverage } = answer.body;
      pages.push(companies.map(({ id }: { id: number }) => id));
      assert.equal(coverage.returned_companies, companies.length);
      cursor = next_cursor ?? undefined;
      if (pages.length > 1) continue;
      // Later pages contain neither a record that is added now nor one that is withdrawn now.
      await record(sql, [{ observed_fact: "A crane, a crane, a crane is wanted." }]);
      await withdrawObservation(sql, recorded[20]!.observation_id);
      await app.retriever.source.refresh();
    } while (cursor !== undefined);
    const left = expected.filter((id) => id !== recorded[20]!.company_id);
    assert.deepEqual(pages.flat(), left);
    assert.deepEqual(pages.map(({ length }) => length), [10, 10, 10, 3]);
    // A retry gives the same answer, and a new search finds the added record.
    const retry = await search({ query: "crane", limit: LIMIT }, { key, request_key: "page 0" });
    assert.deepEqual(retry.body.companies.map(({ id }: { id: number }) => id), pages[0]);
    const fresh = await search({ query: "crane", limit: LIMIT }, { key, request_key: "new" });
    assert.equal(fresh.body.companies.length, LIMIT);
    assert.ok(!expected.includes(fresh.body.companies[0].id));
  }, { workers: 1 });
});

conformanceTest("a later page of which nothing is left has exhausted its shortlist", async (t) => {
  const { db, sql } = t;
  const fact = { observed_fact: "A crane is wanted." };
  const [, last] = await record(sql, [fact, fact]);
  const { key } = await createCaller(sql);
  await withApp(db, async ({ search }) => {
    const request = { query: "crane", limit: 1 };
    const first = await search(request, { key, request_key: "1" });
    await withdrawObservation(sql, last!.observation_id);
    const cursor = first.body.next_cursor;
    const { body } = await search({ ...request, cursor }, { key, request_key: "2" });
    assert.deepEqual([body.companies, body.usage.delivered_units], [[], 0]);
    assert.equal(body.coverage.stop_reason, "shortlist_exhausted");
  });
});
