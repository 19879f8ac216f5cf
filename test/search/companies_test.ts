import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { searchCompanies } from "../../src/search/companies.ts";
import { type QueryReading, readQuery } from "../../src/search/reading/read_query.ts";
import type { Planner } from "../../src/search/planning/model_planner.ts";
import { readOnce } from "../../src/search/reading/reading_cache.ts";
import type { Retriever } from "../../src/search/retriever.ts";
import { requestOf } from "../support/inputs.ts";

/** Returns a retriever that finds nothing, and the readings that it received. */
function retrieverAt(now: Date) {
  const readings: QueryReading[] = [];
  const retriever = {
    ready: true,
    now,
    search: ({ reading }: { reading: QueryReading }) => {
      readings.push(reading);
      return Promise.resolve({ entries: [], retrieval: "lexical", limitations: [] });
    },
  } as unknown as Retriever;
  return { retriever, readings };
}

Deno.test("searchCompanies() resolves times by the retriever's clock if the context has none", async () => {
  const { retriever, readings } = retrieverAt(new Date("2019-02-10T00:00:00Z"));
  const moments: Date[] = [];
  const planned = (now?: () => Date, planner?: Planner) => {
    const action = searchCompanies(retriever, { planner });
    const { inputs } = requestOf(action, { query: "cranes since March" });
    const lease = { operation_id: 1, token: "", frozen: null };
    return action.perform({ sql: {} as Sql, now }, inputs, lease);
  };
  await planned();
  await planned(() => new Date("2026-06-15T00:00:00Z"));
  await planned(undefined, (query, now) => {
    moments.push(now);
    return Promise.resolve(readQuery(query, now));
  });
  assert.deepEqual(readings.map(({ question }) => question.occurred.after), [
    "2018-03-01T00:00:00.000000Z",
    "2026-03-01T00:00:00.000000Z",
    "2018-03-01T00:00:00.000000Z",
  ]);
  assert.deepEqual(moments, [new Date("2019-02-10T00:00:00Z")]);
});

Deno.test("searchCompanies() searches with the reading by which it accepted the query", async () => {
  const { retriever, readings } = retrieverAt(new Date("2026-06-15T00:00:00Z"));
  const action = searchCompanies(retriever);
  const context = { sql: {} as Sql };
  for (const query of ["roof trusses", "roof trusses in the last 9 days"]) {
    const { inputs } = requestOf(action, { query });
    const accepted = readOnce(query, retriever.now);
    await action.perform(context, inputs, { operation_id: 1, frozen: null });
    assert.equal(readings.pop(), accepted);
  }
});

Deno.test("searchCompanies() refuses a query that only excludes, unless it has filters", () => {
  const action = searchCompanies(retrieverAt(new Date(0)).retriever);
  const query = "not construction";
  assert.throws(() => requestOf(action, { query }), {
    name: "Failure",
    code: "unsupported_request",
  });
  const { inputs } = requestOf(action, { query, filters: { countries: ["CA"] } });
  assert.equal(inputs.query, query);
});

Deno.test("searchCompanies() accepts later pages of a search without checking the query again", () => {
  const action = searchCompanies(retrieverAt(new Date(0)).retriever);
  const cursor = "c".repeat(32);
  for (const query of ["not construction", "e-mail addresses of the buyers"]) {
    assert.equal(requestOf(action, { query, cursor }).cursor, cursor);
  }
});
