import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { run } from "../../src/operations/run.ts";
import { searchCompanies } from "../../src/search/searches.ts";
import { Retriever } from "../../src/search/retriever.ts";
import { withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { startEmbeddingHost } from "../support/embedding_host.ts";
import { createCaller, type TestCaller } from "../support/factories.ts";
import { hybrid, recordFacts, UNRELATED_WORDS } from "../support/hybrid.ts";
import { assertSettled, runContext, silent, writtenBody } from "../support/operations.ts";
import { listing, searchedBulletin, startPublisher } from "../support/publisher.ts";

/** A source that searches can ask by words. */
const BULLETIN = searchedBulletin((address, { terms }) => ({
  url: `${address}/search?q=${terms.join("+")}`,
}));

oneEngineTest(
  "a page of near vectors still asks sources, and a query without matches costs no deliveries",
  async ({ db, sql }) => {
    await using host = startEmbeddingHost();
    await using publisher = startPublisher(() => listing([]));
    const [first, second] = await recordFacts(sql, ["truck one", "truck two", ...UNRELATED_WORDS]);
    {
      await using world = await hybrid(sql, host.endpoint());
      await world.embedAll();
    }
    const { key } = await createCaller(sql);
    await sql`
    insert into sources (name, address, asked_in_searches)
    values ('bulletin', ${publisher.address}, true)
  `;
    const loaded = Promise.withResolvers<void>();
    const log = createLog("info", (line) => {
      if (line.includes("embeddings loaded")) loaded.resolve();
    });
    const { url, model } = host.endpoint();
    const env = {
      EMBEDDINGS_URL: url.href,
      EMBEDDINGS_MODEL: model,
      FETCH_OPEN_ADDRESSES: new URL(publisher.address).host,
      ACQUISITION_MILLISECONDS: "10000",
    };
    await withApp(db, async ({ search }) => {
      await loaded.promise;
      const ask = async (query: string) => {
        const { body } = await search({ query, limit: 2 }, { key, request_key: query });
        const { companies, usage, coverage, retrieval } = body;
        const ids = companies.flatMap((one: { match: { observation_ids: number[] } }) =>
          one.match.observation_ids
        );
        const { delivered_units } = usage;
        const { stop_reason } = coverage;
        return { ids: new Set(ids), delivered_units, stop_reason, retrieval };
      };
      assert.deepEqual(await ask("zxqv blorf"), {
        ids: new Set(),
        delivered_units: 0,
        stop_reason: "no_match",
        retrieval: "hybrid",
      });
      const both = { ids: new Set([first, second]), delivered_units: 2, retrieval: "hybrid" };
      assert.deepEqual(await ask("juggernaut"), { ...both, stop_reason: "limit_reached" });
      assert.deepEqual(publisher.asked, ["/search?q=zxqv+blorf", "/search?q=juggernaut"]);
      // Words find two companies, so no source is asked.
      assert.deepEqual(await ask("truck"), { ...both, stop_reason: "limit_reached" });
      assert.equal(publisher.asked.length, 2);
    }, { sources: new Map([["bulletin", BULLETIN]]), env, log });
  },
);

/** Runs a search. Returns its result, and the units that it has used. */
async function delivered(sql: Sql, retriever: Retriever, { caller }: TestCaller) {
  const reply = await run(
    runContext(sql),
    searchCompanies(retriever),
    caller,
    () => ({ inputs: { query: "truck" }, request_key: "k" }),
  );
  const { companies, retrieval, limitations, usage } = writtenBody(reply) as {
    companies: { match: { observation_ids: number[] } }[];
    retrieval: string;
    limitations: string[];
    usage: { request_units: number; delivered_units: number };
  };
  const { request_units, delivered_units } = usage;
  return {
    ids: companies.map(({ match }) => match.observation_ids),
    retrieval,
    unavailable: limitations.includes("hybrid_unavailable"),
    units: [request_units, delivered_units],
  };
}

oneEngineTest(
  "a search whose query is embedded too late is charged like a lexical search",
  async ({ sql }) => {
    const late = Promise.withResolvers<void>();
    await using host = startEmbeddingHost(({ input }) =>
      input[0] === "truck" ? late.promise.then(() => new Response()) : undefined
    );
    const [truck] = await recordFacts(sql, ["truck", "crane", ...UNRELATED_WORDS]);
    await using world = await hybrid(sql, host.endpoint(), 200);
    await world.embedAll();
    const lexical = new Retriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
    await lexical.source.start();
    const expected = { ids: [[truck]], retrieval: "lexical", units: [1, 1] };
    assert.deepEqual(
      await delivered(sql, lexical, await createCaller(sql)),
      { ...expected, unavailable: false },
    );
    // A stalled machine may be late even before the endpoint has received the query.
    do {
      assert.deepEqual(
        await delivered(sql, world.retriever, await createCaller(sql)),
        { ...expected, unavailable: true },
      );
    } while (host.requests.at(-1)!.input[0] !== "truck");
    await assertSettled(sql);
    late.resolve();
    await lexical.source.close();
  },
);
