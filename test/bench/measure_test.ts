import assert from "node:assert/strict";
import { percentile, timeInTurns } from "../../bench/measure.ts";
import type { Query } from "../../bench/queries.ts";

Deno.test("percentile() returns the value of the nearest rank", () => {
  const sorted = Array.from({ length: 200 }, (_, n) => n + 1);
  assert.equal(percentile(sorted, 0.5), 100);
  assert.equal(percentile(sorted, 0.99), 198);
  assert.equal(percentile(sorted, 1), 200);
  assert.equal(percentile(sorted, 0), 1);
  assert.equal(percentile([7], 0.99), 7);
  assert.equal(percentile([1, 2, 3], 0.5), 2);
});

const queries: Query[] = ["a", "b"].map((text) => ({ text, tokens: text, words: [] }));

Deno.test("timeInTurns() sends every searcher the same queries, and sorts the times", async () => {
  const queriesBySearcher: string[][] = [[], []];
  const searchers = queriesBySearcher.map((texts) => ({
    search: ({ text }: Query) => void texts.push(text),
  }));
  const timings = await timeInTurns(searchers, queries, { min: 4, max: 4, budget: 1_000 });
  assert.deepEqual(queriesBySearcher, [["a", "b", "a", "b"], ["a", "b", "a", "b"]]);
  for (const samples of timings) {
    assert.equal(samples.length, 4);
    assert.deepEqual(samples, samples.toSorted((a, b) => a - b));
  }
});

Deno.test("timeInTurns() warms up, and stops a slow searcher after `min` samples", async () => {
  let searches = 0;
  const searcher = { search: () => void searches++ };
  const [samples] = await timeInTurns([searcher], queries, { min: 10, max: 40, budget: 0 });
  assert.equal(samples!.length, 10);
  assert.equal(searches, 12);
});

Deno.test("timeInTurns() runs all ordered pairs of searchers about equally often", async () => {
  const order: number[] = [];
  const searchers = [0, 1, 2, 3].map((number) => ({ search: () => void order.push(number) }));
  await timeInTurns(searchers, queries, { min: 1_000, max: 1_000, budget: 0 });
  const counts = searchers.map(() => searchers.map(() => 0));
  for (let n = 1; n < order.length; n++) {
    // A searcher that comes last in one turn and first in the next one follows itself.
    if (order[n] !== order[n - 1]) counts[order[n]!]![order[n - 1]!]!++;
  }
  counts.forEach((countsAfter, searcher) =>
    countsAfter.forEach((count, previous) => {
      if (previous === searcher) return;
      assert.ok(count > 300 && count < 460, `${searcher} after ${previous}: ${count}`);
    })
  );
});

Deno.test("timeInTurns() awaits answers that are promises", async () => {
  const answers: string[] = [];
  const searcher = {
    async search({ text }: Query) {
      await Promise.resolve();
      answers.push(text);
    },
  };
  await timeInTurns([searcher], queries, { min: 2, max: 2, budget: 0 });
  assert.deepEqual(answers, ["a", "b"]);
});
