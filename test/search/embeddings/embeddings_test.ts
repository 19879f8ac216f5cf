import assert from "node:assert/strict";
import { setSource } from "../../../src/ingest/record/withdraw.ts";
import { oneEngineTest } from "../../support/database.ts";
import { embeddingsOf, startEmbeddingHost } from "../../support/embedding_host.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { hybrid, recordFacts, UNRELATED_WORDS } from "../../support/hybrid.ts";

oneEngineTest("a search finds records of its meaning without its words", async ({ sql }) => {
  await using host = startEmbeddingHost();
  const facts = ["truck", "crane", "bread one", ...UNRELATED_WORDS];
  const [truck, crane, bread] = await recordFacts(sql, facts);
  await using world = await hybrid(sql, host.endpoint());
  assert.deepEqual(await world.search("juggernaut"), {
    ids: [],
    retrieval: "lexical",
    limitations: [],
  });
  assert.equal(host.requests.length, 0);
  await world.embedAll();

  const found = { retrieval: "hybrid", limitations: [] };
  assert.deepEqual(await world.search("juggernaut"), { ids: [truck], ...found });
  assert.deepEqual(await world.searchObservations("jib"), { ids: [crane], ...found });
  // Lexical hits rank before hits by vectors only.
  assert.deepEqual((await world.search("bread one juggernaut")).ids, [bread, truck]);
});

oneEngineTest(
  "texts get the prefixes of the settings, and another form is embedded anew",
  async (t) => {
    const { sql } = t;
    await using host = startEmbeddingHost();
    const [truck] = await recordFacts(sql, ["truck", ...UNRELATED_WORDS]);
    const form = { query_prefix: "query: ", passage_prefix: "passage: ", characters: 30 };
    await using world = await hybrid(sql, { ...host.endpoint(), ...form });
    await world.embedAll();
    assert.deepEqual((await world.search("juggernaut")).ids, [truck]);
    const texts = host.requests.map(({ input }) => input);
    assert.deepEqual(texts.at(-1), ["query: juggernaut"]);
    const passages = texts.slice(0, -1).flat();
    assert.equal(passages.length, 1 + UNRELATED_WORDS.length);
    for (const text of passages) {
      assert.match(text, /^passage: /);
      assert.ok(text.length <= "passage: ".length + form.characters, text);
    }
    await using changed = await hybrid(sql, {
      ...host.endpoint(),
      ...form,
      passage_prefix: "text: ",
    });
    await changed.embeddings.follower.refresh();
    // The vectors of the former form serve until those of the new form are complete.
    assert.deepEqual((await changed.search("juggernaut")).ids, [truck]);
    await changed.embedAll();
    assert.match(host.requests.at(-1)!.input[0]!, /^text: /);
    assert.deepEqual((await changed.search("juggernaut")).ids, [truck]);
    assert.ok(host.requests.every(({ model }) => model === "m-1"));
  },
);

oneEngineTest("a record that only vectors find leaves every condition open", async ({ sql }) => {
  await using host = startEmbeddingHost();
  const [truck] = await recordFacts(sql, ["truck", ...UNRELATED_WORDS]);
  await using world = await hybrid(sql, host.endpoint());
  await world.embedAll();
  const { entries, silent_observation_ids } = await world.retriever.search({
    query: "Ontario juggernaut",
    filters: normalizeFilters({}),
  });
  assert.deepEqual(entries.flatMap(({ observation_ids }) => observation_ids), [truck]);
  assert.deepEqual(silent_observation_ids, [truck]);
});

oneEngineTest("a search by meaning applies the filters", async ({ sql }) => {
  await using host = startEmbeddingHost();
  const [canadian, american] = await recordFacts(sql, [
    "truck one",
    "truck two",
    ...UNRELATED_WORDS,
  ]);
  await using world = await hybrid(sql, host.endpoint());
  await world.embedAll();
  const found = async (filters: unknown) => {
    const [companies, { ids }] = [
      await world.search("juggernaut", filters),
      await world.searchObservations("juggernaut", filters),
    ];
    assert.deepEqual(companies.ids, ids);
    return new Set(ids);
  };
  assert.deepEqual(await found({}), new Set([canadian, american]));
  assert.deepEqual(await found({ countries: ["US"] }), new Set([american]));
  assert.deepEqual(await found({ countries: ["CA"] }), new Set([canadian]));
  assert.deepEqual(await found({ kinds: ["procurement_request"] }), new Set());
  assert.deepEqual(await found({ observed_after: "2026-03-05T00:00:00Z" }), new Set());
  await setSource(sql, "acme-feed", false);
  await world.retriever.source.refresh();
  assert.deepEqual(await found({}), new Set());
});

oneEngineTest("a search by meaning finds no expired observations", async ({ sql }) => {
  await using host = startEmbeddingHost();
  const [lasting] = await recordFacts(sql, ["truck one", ...UNRELATED_WORDS]);
  const [ending] = await recordFacts(sql, ["truck two"], { expires_at: "2199-01-01T00:00:00Z" });
  await using world = await hybrid(sql, host.endpoint());
  await world.embedAll();
  for (const search of [world.search, world.searchObservations]) {
    const found = async (now: string) =>
      new Set((await search("juggernaut", {}, new Date(now))).ids);
    assert.deepEqual(await found("2198-12-31T23:59:59Z"), new Set([lasting, ending]));
    assert.deepEqual(await found("2199-01-01T00:00:00Z"), new Set([lasting]));
  }
});

oneEngineTest(
  "a query finds nothing if no record contains its words or is near its vector",
  async ({ sql }) => {
    await using host = startEmbeddingHost();
    const [truck] = await recordFacts(sql, ["truck", "crane", "bread", ...UNRELATED_WORDS]);
    await using world = await hybrid(sql, host.endpoint());
    await world.embedAll();
    const nothing = { ids: [], retrieval: "hybrid", limitations: [] };
    for (const query of ["zxqv blorf", "qwrt", "vlimp snarg drun"]) {
      assert.deepEqual(await world.search(query), nothing);
      assert.deepEqual(await world.searchObservations(query), nothing);
    }
    // A known word finds the same records as without vectors.
    assert.deepEqual((await world.search("truck zxqv blorf")).ids, [truck]);
  },
);

oneEngineTest("a query without words of a subject is not embedded", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await recordFacts(sql, ["truck"]);
  await using world = await hybrid(sql, host.endpoint());
  await world.embedAll();
  assert.equal(host.requests.length, 1);
  assert.deepEqual((await world.search("the of")).ids, []);
  await world.search("Series A, Texas");
  assert.equal(host.requests.length, 1);
});

oneEngineTest("a query is embedded once, and the key is sent only in a header", async ({ sql }) => {
  await using host = startEmbeddingHost();
  await recordFacts(sql, ["truck"]);
  await using world = await hybrid(sql, host.endpoint());
  await world.embedAll();
  await world.search("juggernaut");
  await world.search("juggernaut");
  assert.deepEqual(host.requests.slice(1), [{ model: "m-1", input: ["juggernaut"] }]);
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
  "answers with HTML": () => new Response("<html>"),
  "answers with null": () => embedding(`null${",1".repeat(47)}`),
  "answers with infinite numbers": () => embedding(`1e999${",1".repeat(47)}`),
  "answers with numbers beyond 32 bits": () => embedding(`1e300${",1".repeat(47)}`),
  "answers with too few dimensions": () => embedding("1,2,3"),
  "answers with strings": () => embedding(`"1"`),
  "answers without vectors": () => Response.json({ data: [] }),
  "answers with too many vectors": () => embeddingsOf(["juggernaut", "juggernaut"]),
  "answers endlessly": () => new Response("[" + " ".repeat(2_000_000)),
};

for (const [fault, answer] of Object.entries(FAULTS)) {
  oneEngineTest(`a search states that it is lexical if the endpoint ${fault}`, async ({ sql }) => {
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
    assert.deepEqual(await world.search("juggernaut"), { ids: [], ...expected });
    assert.deepEqual(await world.searchObservations("truck"), { ids: [truck], ...expected });
    hung.resolve(new Response());
    const logged = world.lines.join("");
    assert.doesNotMatch(logged, /juggernaut|key-of-the-endpoint/);
  });
}
