/** No request shows evidence, observations or companies that may not be shown. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import {
  setSource,
  suppressCompany,
  withdrawEvidence,
  withdrawObservation,
} from "../../src/ingest/record/withdraw.ts";
import { type HttpAnswer, type TestApp, withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record, type Recorded } from "../support/factories.ts";

const LISTING = "domains[]=north.example&since=2020-01-01T00:00:00Z";

interface ReadPath {
  name: string;
  ask(
    app: TestApp,
    options: { key: string; request_key: string },
    one: Recorded,
  ): Promise<HttpAnswer>;
}

/** All HTTP requests that show an observation. Metered ones have a request key. */
const PATHS: ReadPath[] = [
  { name: "search", ask: ({ search }, options) => search({ query: "freezer" }, options) },
  { name: "lookup by hostname", ask: ({ ask }, options) => ask(DOMAIN_LOOKUP, options) },
  {
    name: "lookup by id",
    ask: ({ ask }, options, { company_id }) => ask(`/api/companies?ids[]=${company_id}`, options),
  },
  { name: "listing", ask: ({ ask }, options) => ask(`/api/observations?${LISTING}`, options) },
  {
    name: "company",
    ask: ({ ask }, { key }, { company_id }) => ask(`/api/companies/${company_id}`, { key }),
  },
  {
    name: "observation",
    ask: ({ ask }, { key }, one) => ask(`/api/observations/${one.observation_id}`, { key }),
  },
];
const DOMAIN_LOOKUP = "/api/companies?domains[]=north.example";

const EXCERPTS = ["The first freezer excerpt.", "The second freezer excerpt."];
const uriOf = (n: number) => `https://news.example/${n}`;

async function recordFreezer(sql: Sql): Promise<Recorded> {
  const [one] = await record(sql, [{
    company: { name: "North", domains: ["north.example"] },
    observed_fact: "A freezer warehouse.",
    evidence: EXCERPTS.map((excerpt, n) => ({
      source_uri: uriOf(n),
      excerpt,
      observed_at: "2026-03-02T09:00:00Z",
    })),
  }]);
  return one!;
}

/** Returns the excerpts that an answer contains. */
const shownIn = (answer: HttpAnswer) =>
  EXCERPTS.filter((excerpt) => JSON.stringify(answer.body).includes(excerpt));

oneEngineTest("no path shows a withdrawn excerpt of a shown observation", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const one = await recordFreezer(sql);
  await withApp(db, async (app) => {
    const ask = (path: ReadPath, request_key: string) => path.ask(app, { key, request_key }, one);
    for (const path of PATHS) {
      assert.deepEqual(shownIn(await ask(path, `${path.name} before`)), EXCERPTS, path.name);
    }
    await withdrawEvidence(sql, uriOf(0));
    for (const path of PATHS) {
      for (const request_key of [`${path.name} before`, `${path.name} after`]) {
        assert.deepEqual(shownIn(await ask(path, request_key)), [EXCERPTS[1]], request_key);
      }
    }
  });
});

/** Changes, each of which removes an observation from all answers. */
const WITHDRAWALS: Record<string, (sql: Sql, one: Recorded) => Promise<unknown>> = {
  "an expired observation": (sql) => sql`update observations set expires_at = now()`,
  "a withdrawn observation": (sql, one) => withdrawObservation(sql, one.observation_id),
  "an observation gone from its source": (sql) => sql`update observations set gone_at = now()`,
  "a suppressed company": (sql, one) => suppressCompany(sql, one.company_id),
  "a source that is not permitted": (sql) => setSource(sql, "acme-feed", false),
  async "an observation without evidence"(sql) {
    for (const n of EXCERPTS.keys()) await withdrawEvidence(sql, uriOf(n));
  },
};

for (const [name, withdraw] of Object.entries(WITHDRAWALS)) {
  oneEngineTest(`no path shows ${name}, and replays count it as withheld`, async ({ db, sql }) => {
    const { key } = await createCaller(sql);
    const one = await recordFreezer(sql);
    await withApp(db, async (app) => {
      const ask = (path: ReadPath, request_key: string) => path.ask(app, { key, request_key }, one);
      for (const path of PATHS) await ask(path, `${path.name} before`);
      await withdraw(sql, one);
      for (const path of PATHS) {
        const replay = await ask(path, `${path.name} before`);
        const fresh = await ask(path, `${path.name} after`);
        assert.deepEqual([shownIn(replay), shownIn(fresh)], [[], []], path.name);
        if (path.name === "company" || path.name === "observation") {
          assert.equal(fresh.status, 404, path.name);
        } else {
          assert.deepEqual([replay.body.withheld_units, fresh.body.withheld_units], [1, 0]);
          assert.deepEqual(
            [replay.body.usage.delivered_units, fresh.body.usage.delivered_units],
            [1, 0],
            path.name,
          );
        }
      }
    });
  });
}
