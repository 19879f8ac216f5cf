import assert from "node:assert/strict";
import { Corpus } from "../../bench/corpus.ts";
import { checkMatches, checkRanking } from "../../bench/engines/check.ts";
import type { Engine, Hit } from "../../bench/engines/engine.ts";
import { createExhaustive } from "../../bench/engines/exhaustive.ts";
import { createMiniSearch } from "../../bench/engines/mini_search.ts";
import { createNaive } from "../../bench/engines/naive.ts";
import { queriesOf, type Query, SHAPES } from "../../bench/queries.ts";

const QUERY: Query = { text: "a", tokens: "a", words: [] };

function fixed(hits: Hit[]): Engine {
  return { name: "fixed", fill: () => {}, search: (_query, limit) => hits.slice(0, limit) };
}

function hits(...pairs: [observation_id: number, score: number][]): Engine {
  return fixed(pairs.map(([observation_id, score]) => ({ observation_id, score })));
}

Deno.test("checkMatches() refuses missing, superfluous and repeated documents", async () => {
  const reference = hits([1, 3], [2, 2]);
  const check = (engine: Engine) =>
    checkMatches(engine, reference, { queries: [QUERY], documents: 10 });
  await check(hits([2, 9], [1, 1]));
  for (const wrong of [hits([1, 3]), hits([1, 3], [2, 2], [3, 1]), hits([1, 3], [2, 2], [2, 2])]) {
    await assert.rejects(check(wrong), /does not find the matches of a/);
  }
});

Deno.test("checkRanking() refuses wrong scores, wrong documents and a wrong order", async () => {
  const reference = hits([1, 3], [2, 2], [3, 2]);
  const check = (engine: Engine) => checkRanking(engine, reference, { queries: [QUERY], limit: 3 });
  await check(hits([1, 3], [2, 2], [3, 2]));
  await check(hits([1, 3 + 1e-12], [2, 2], [3, 2]));
  await check(hits([1, 3], [2, 2], [4, 2]));
  for (
    const wrong of [
      hits([1, 3], [3, 2], [2, 2]),
      hits([1, 3.1], [2, 2], [3, 2]),
      hits([1, 3], [2, 2]),
      hits([4, 3], [2, 2], [3, 2]),
    ]
  ) {
    await assert.rejects(check(wrong), /does not rank a as fixed does/);
  }
});

Deno.test("the naive and the exhaustive engine agree with each other and with MiniSearch", async () => {
  const corpus = new Corpus({
    documents: 500,
    words: 60,
    sizes: { english: 12_000, french: 3_000 },
  });
  const [naive, exhaustive, mini] = [createNaive(), createExhaustive(), createMiniSearch()];
  for (const engine of [naive, exhaustive, mini]) await engine.fill(corpus);
  let matches = 0;
  for (const shape of SHAPES) {
    const queries = queriesOf(corpus, shape, 5);
    await checkMatches(mini, naive, { queries, documents: 500 });
    await checkMatches(exhaustive, naive, { queries, documents: 500 });
    await checkRanking(exhaustive, naive, { queries, limit: 100 });
    for (const query of queries) matches += (await naive.search(query, 500)).length;
  }
  assert.ok(matches > 1_000, `only ${matches} matches were compared`);
});
