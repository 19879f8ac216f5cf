import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { searchCompanies } from "../../src/search/searches.ts";
import type { Planner } from "../../src/search/planning/model_planner.ts";
import type { RetrievalRequest, Retriever } from "../../src/search/retriever.ts";
import { requestOf } from "../support/inputs.ts";

/** Returns a retriever that finds nothing, and the requests that it received. */
function retrieverAt(now: Date) {
  const requests: RetrievalRequest[] = [];
  const retriever = {
    source: { ready: true, now: now.toISOString() },
    search: (request: RetrievalRequest) => {
      requests.push(request);
      return Promise.resolve({ entries: [], retrieval: "lexical", limitations: [] });
    },
  } as unknown as Retriever;
  return { retriever, requests };
}

Deno.test("searchCompanies() plans at the retriever's time, and searches with the plan", async () => {
  const { retriever, requests } = retrieverAt(new Date("2019-02-10T00:00:00Z"));
  const moments: Date[] = [];
  const planned = { words: ["crane"], excluded: [], kinds: [] };
  const planner: Planner = (_query, now) => {
    moments.push(now);
    return Promise.resolve(planned);
  };
  const action = searchCompanies(retriever, { planner });
  const { inputs } = requestOf(action, { query: "cranes since March" });
  await action.perform({ sql: {} as Sql }, inputs, { operation_id: 1, frozen: null });
  assert.deepEqual(moments, [new Date("2019-02-10T00:00:00Z")]);
  assert.deepEqual(requests.map(({ query, planned, now }) => [query, planned, now]), [
    ["cranes since March", planned, undefined],
  ]);
});

Deno.test("searchCompanies() reads no query before the request is claimed", () => {
  const { retriever } = retrieverAt(new Date(0));
  const search = () => assert.fail("the query was read");
  const action = searchCompanies(Object.assign(retriever, { search }));
  const query = "restaurants except bakeries";
  assert.equal(requestOf(action, { query }).inputs.query, query);
});

Deno.test("searchCompanies() accepts later pages of a search without checking the query again", () => {
  const action = searchCompanies(retrieverAt(new Date(0)).retriever);
  const cursor = "c".repeat(32);
  for (const query of ["not construction", "e-mail addresses of the buyers"]) {
    assert.equal(requestOf(action, { query, cursor }).cursor, cursor);
  }
});
