import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { setSource } from "../../../src/ingest/withdraw.ts";
import { createLog } from "../../../src/log.ts";
import { Embeddings } from "../../../src/search/embeddings/embeddings.ts";
import { normalizeFilters } from "../../../src/search/filters.ts";
import { planSearch } from "../../../src/search/planning.ts";
import { createRetriever } from "../../../src/search/retriever.ts";
import { databaseTest, embeddedTest } from "../../support/database.ts";
import { embeddingsOf, startEmbeddingHost } from "../../support/embedding_host.ts";
import { record } from "../../support/factories.ts";
import type { ModelEndpoint } from "../../../src/search/model_endpoint.ts";

const NEVER_POLLS = 3_600_000;
const NOW = new Date("2026-03-10T00:00:00Z");
const going = new AbortController().signal;

/** A loaded retriever whose vectors are computed and read when it is told to. */
async function hybrid(sql: Sql, endpoint: ModelEndpoint, query_milliseconds?: number) {
  const lines: string[] = [];
  const log = createLog("debug", (line) => void lines.push(line));
  const embeddings = new Embeddings({ sql, log, endpoint, works: true, query_milliseconds });
  const retriever = createRetriever({ sql, log, poll_milliseconds: NEVER_POLLS, embeddings });
  await retriever.start();
  return {
    lines,
    embeddings,
    retriever,
    async embedAll() {
      await retriever.refresh();
      while (await embeddings.embedder.step(going));
      await embeddings.keeper.refresh();
    },
    async search(query: string, filters: unknown = {}) {
      const { entries, ...facts } = await retriever.search({
        plan: planSearch(query, NOW),
        query,
        filters: normalizeFilters(filters),
        companies: 100,
        observations_per_company: 3,
        now: NOW,
      });
      return { ids: entries.flatMap(({ observation_ids }) => observation_ids), ...facts };
    },
    async searchObservations(query: string, filters: unknown = {}) {
      const { entries, ...facts } = await retriever.searchObservations({
        plan: planSearch(query, NOW),
        query,
        filters: normalizeFilters(filters),
        observations: 100,
        now: NOW,
      });
      return { ids: entries.flatMap(({ observation_ids }) => observation_ids), ...facts };
    },
    [Symbol.asyncDispose]: () => retriever.close(),
  };
}

/** Records of one sentence each. @returns their ids */
async function recordFacts(sql: Sql, facts: readonly string[]): Promise<number[]> {
  const recorded = await record(
    sql,
    facts.map((fact, n) => ({
      observed_fact: fact,
      why_it_may_matter: fact,
      country: n % 2 === 0 ? "CA" : "US",
      company: { name: fact.split(" ")[0]! },
      evidence: [{
        source_uri: `https://news.example/${n}`,
        excerpt: fact,
        occurred_at: "2026-03-01T00:00:00Z",
        observed_at: "2026-03-02T09:00:00Z",
      }],
    })),
  );
  return recorded.map(({ observation_id }) => observation_id);
}

databaseTest("a search finds by meaning what no word of it finds", async ({ sql }) => {
  await using host = startEmbeddingHost();
  const [truck, crane, bread] = await recordFacts(sql, ["truck", "crane", "bread"]);
  await using world = await hybrid(sql, host.endpoint());
  assert.deepEqual(await world.search("lorry"), {
    ids: [],
    retrieval: "lexical",
    limitations: [],
  });
  assert.equal(host.asked.length, 0);
  await world.embedAll();

  const { ids, ...facts } = await world.search("lorry");
  assert.deepEqual(facts, { retrieval: "hybrid", limitations: [] });
  assert.equal(ids[0], truck);
  assert.deepEqual((await world.searchObservations("hoist")).ids[0], crane);
  // What a word finds stays before what only lies near.
  assert.deepEqual((await world.search("bread lorry")).ids.slice(0, 2), [bread, truck]);
});

databaseTest("a search by meaning keeps to its filters", async ({ sql }) => {
  await using host = startEmbeddingHost();
  const [truck, crane, bread] = await recordFacts(sql, ["truck", "crane", "bread"]);
  await using world = await hybrid(sql, host.endpoint());
  await world.embedAll();
  const found = async (filters: unknown) => new Set((await world.search("lorry", filters)).ids);
  assert.deepEqual(await found({ countries: ["US"] }), new Set([crane]));
  assert.deepEqual(await found({ countries: ["CA"] }), new Set([truck, bread]));
  assert.deepEqual(await found({ kinds: ["procurement_request"] }), new Set());
  assert.deepEqual(await found({ observed_after: "2026-03-05T00:00:00Z" }), new Set());
  await setSource(sql, "acme-feed", false);
  await world.retriever.refresh();
  assert.deepEqual(await found({}), new Set());
});

embeddedTest("a query without words is not embedded", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await recordFacts(sql, ["truck"]);
  await using world = await hybrid(sql, host.endpoint());
  await world.embedAll();
  assert.equal(host.asked.length, 1);
  assert.deepEqual((await world.search("the of")).ids, []);
  assert.equal(host.asked.length, 1);
});

embeddedTest("a query is asked for once, with the key in its header alone", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await recordFacts(sql, ["truck"]);
  await using world = await hybrid(sql, host.endpoint());
  await world.embedAll();
  await world.search("lorry");
  await world.search("lorry");
  assert.deepEqual(host.asked.slice(1), [{ model: "m-1", input: ["lorry"] }]);
  assert.deepEqual(host.heard.map(({ path, headers }) => [path, headers.authorization]), [
    ["/v1/embeddings", "Bearer key-of-the-endpoint"],
    ["/v1/embeddings", "Bearer key-of-the-endpoint"],
  ]);
});

const embedding = (values: string) =>
  new Response(`{"data":[{"index":0,"embedding":[${values}]}]}`);

const FAULTS: Record<string, () => Response | Promise<Response>> = {
  "is late": () => new Promise<Response>(() => {}),
  "answers 500": () => new Response("no", { status: 500 }),
  "redirects": () => Response.redirect("http://127.0.0.1:1/"),
  "answers no JSON": () => new Response("<html>"),
  "answers NaN": () => embedding("NaN"),
  "answers infinite numbers": () => embedding(`1e999${",1".repeat(47)}`),
  "answers other dimensions": () => embedding("1,2,3"),
  "answers texts": () => embedding(`"1"`),
  "answers nothing": () => Response.json({ data: [] }),
  "answers too much": () => embeddingsOf(["lorry", "lorry"]),
  "answers endlessly": () => new Response("[" + " ".repeat(2_000_000)),
};

for (const [fault, answer] of Object.entries(FAULTS)) {
  embeddedTest(`a search of an endpoint that ${fault} is lexical and says so`, async ({ sql }) => {
    let failing = false;
    const hung = Promise.withResolvers<Response>();
    await using host = startEmbeddingHost(() => {
      if (!failing) return undefined;
      return fault === "is late" ? hung.promise : answer();
    });
    const [truck] = await recordFacts(sql, ["truck", "crane"]);
    await using world = await hybrid(sql, host.endpoint(), fault === "is late" ? 50 : 2_000);
    await world.embedAll();
    failing = true;
    const expected = { retrieval: "lexical", limitations: ["hybrid_unavailable"] };
    assert.deepEqual(await world.search("lorry"), { ids: [], ...expected });
    assert.deepEqual(await world.searchObservations("lorry truck"), { ids: [truck], ...expected });
    hung.resolve(new Response());
    const logged = world.lines.join("");
    assert.doesNotMatch(logged, /lorry|key-of-the-endpoint/);
  });
}
