import assert from "node:assert/strict";
import { Corpus, observationOf, tokensOf } from "../../bench/corpus.ts";
import { queriesOf, SHAPES } from "../../bench/queries.ts";
import { createZipf, Random } from "../../bench/random.ts";
import { words } from "../../src/search/engine/text.ts";

const sizes = { english: 12_000, french: 3_000 };
const corpus = new Corpus({ documents: 2_000, words: 60, sizes });

Deno.test("Corpus has the same documents in every run, from any first document on", () => {
  const second = new Corpus({ documents: 2_000, words: 60, sizes });
  const read = (of: Corpus, from: number) => [...of.documents(from, 1_000)];
  assert.deepEqual(read(second, 0), read(corpus, 0));
  assert.deepEqual(read(second, 990), read(corpus, 0).slice(990));
  assert.deepEqual(
    queriesOf(second, SHAPES[3]).map(({ text, filter }) => ({ text, filter })),
    queriesOf(corpus, SHAPES[3]).map(({ text, filter }) => ({ text, filter })),
  );
});

Deno.test("Corpus has the requested mean number of words, and five documents per company", () => {
  for (const length of [60, 90]) {
    let total = 0;
    const sized = corpus.resized({ documents: 2_000, words: length });
    for (const { words } of sized.documents()) total += words.flat().length;
    const mean = total / 2_000;
    assert.ok(Math.abs(mean - length) < length / 50, `${mean} words, not ${length}`);
  }
  const documents = [...corpus.documents()];
  assert.equal(corpus.companies, 400);
  assert.ok(documents.every(({ company_id }) => company_id >= 1 && company_id <= 400));
  assert.deepEqual(documents.map(({ observation_id }) => observation_id).slice(-2), [1_999, 2_000]);
});

Deno.test("Corpus has about a fifth of its documents in French, from Canada", () => {
  const french = [...corpus.documents()].filter(({ language }) => language === "french");
  const share = french.length / corpus.size;
  assert.ok(share > 0.15 && share < 0.25, String(share));
  assert.ok(french.every(({ country }) => country === "CA"));
  assert.ok(french.every(({ words }) => words[1]!.every((number) => number >= sizes.english)));
});

Deno.test("observationOf() has as many indexed words as tokensOf() has tokens", () => {
  for (const document of corpus.documents(0, 50)) {
    const { text } = observationOf(corpus, document);
    const tokens = tokensOf(corpus, document);
    assert.equal(
      words([text.observed_fact, ...text.texts].join(" ")).length,
      [tokens.observed_fact, tokens.texts].join(" ").split(" ").length,
    );
  }
});

Deno.test("queriesOf() draws distinct stems, and the same words with and without a filter", () => {
  for (const [n, shape] of SHAPES.entries()) {
    const queries = queriesOf(corpus, shape);
    assert.equal(queries.length, 50);
    for (const query of queries) {
      assert.equal(new Set(query.tokens.split(" ")).size, shape.bands.length);
      assert.equal(query.filter !== undefined, shape.filtered);
    }
    if (!shape.filtered) continue;
    const plain = queriesOf(corpus, SHAPES[n - 1]!);
    assert.deepEqual(queries.map(({ text }) => text), plain.map(({ text }) => text));
  }
});

Deno.test("createZipf() returns frequent ranks for low shares", () => {
  const rankAt = createZipf({ ranks: 1_000, flat: 10 });
  // Ranks are 10 * 101 ** share - 10, rounded down, and at most 999.
  assert.deepEqual([0, 0.25, 0.5, 0.75, 1].map(rankAt), [0, 21, 90, 308, 999]);
});

Deno.test("createZipf() draws ranks in proportion to 1 / (rank + flat)", () => {
  const random = new Random(5);
  const zipf = createZipf({ ranks: 1_000, flat: 10 });
  const counts = new Uint32Array(1_000);
  for (let n = 0; n < 200_000; n++) counts[zipf(random.next())]!++;
  // ln((1000 + 10) / 10) = 4.615; the first rank's share is ln(11 / 10) / 4.615.
  assert.ok(Math.abs(counts[0]! / 200_000 - 0.02065) < 0.001, String(counts[0]));
  const tail = counts.subarray(500).reduce((sum, count) => sum + count, 0);
  // The share of the ranks from 500 on is ln(1010 / 510) / 4.615.
  assert.ok(Math.abs(tail / 200_000 - 0.148) < 0.005, String(tail));
});
