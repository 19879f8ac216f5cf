import assert from "node:assert/strict";
import { percentile, timeInTurns } from "../../bench/measure.ts";
import type { Query } from "../../bench/queries.ts";

Deno.test("percentile() is the nearest rank", () => {
  const sorted = Array.from({ length: 200 }, (_, n) => n + 1);
  assert.equal(percentile(sorted, 0.5), 100);
  assert.equal(percentile(sorted, 0.99), 198);
  assert.equal(percentile(sorted, 1), 200);
  assert.equal(percentile(sorted, 0), 1);
  assert.equal(percentile([7], 0.99), 7);
  assert.equal(percentile([1, 2, 3], 0.5), 2);
});

const queries: Query[] = ["a", "b"].map((text) => ({ text, tokens: text, words: [] }));

Deno.test("timeInTurns() asks everyone the same queries and sorts what they took", async () => {
  const asked: string[][] = [[], []];
  const searchers = asked.map((own) => ({ search: ({ text }: Query) => void own.push(text) }));
  const timings = await timeInTurns(searchers, queries, { least: 4, most: 4, budget: 1_000 });
  assert.deepEqual(asked, [["a", "b", "a", "b"], ["a", "b", "a", "b"]]);
  for (const samples of timings) {
    assert.equal(samples.length, 4);
    assert.deepEqual(samples, samples.toSorted((a, b) => a - b));
  }
});

Deno.test("timeInTurns() warms up, and cuts the slow short after the least", async () => {
  let asked = 0;
  const searcher = { search: () => void asked++ };
  const [samples] = await timeInTurns([searcher], queries, { least: 10, most: 40, budget: 0 });
  assert.equal(samples!.length, 10);
  assert.equal(asked, 12);
});

Deno.test("timeInTurns() has everyone come after everyone else alike", async () => {
  const order: number[] = [];
  const searchers = [0, 1, 2, 3].map((own) => ({ search: () => void order.push(own) }));
  await timeInTurns(searchers, queries, { least: 1_000, most: 1_000, budget: 0 });
  const counts = searchers.map(() => searchers.map(() => 0));
  for (let n = 1; n < order.length; n++) {
    // Between turns anyone may come after themselves.
    if (order[n] !== order[n - 1]) counts[order[n]!]![order[n - 1]!]!++;
  }
  counts.forEach((before, own) =>
    before.forEach((count, other) => {
      if (other !== own) assert.ok(count > 300 && count < 460, `${own} after ${other}: ${count}`);
    })
  );
});

Deno.test("timeInTurns() waits for answers that come later", async () => {
  const answers: string[] = [];
  const searcher = {
    async search({ text }: Query) {
      await Promise.resolve();
      answers.push(text);
    },
  };
  await timeInTurns([searcher], queries, { least: 2, most: 2, budget: 0 });
  assert.deepEqual(answers, ["a", "b"]);
});
