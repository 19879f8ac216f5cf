import assert from "node:assert/strict";
import type { SemanticModel } from "../../../src/search/semantics/model.ts";
import { cosinesWithSum, TermVectors } from "../../../src/search/semantics/term_vectors.ts";

/** Three terms, of which the last is rarest. */
const MODEL = { parts: { rarity: Uint16Array.of(256, 256, 1024) } } as SemanticModel;

function vectorOf(...rows: number[]) {
  const vectors = new TermVectors(MODEL);
  for (const row of rows) vectors.add(row, 1);
  return vectors.finish();
}

Deno.test("cosinesWithSum() compares by shared terms, the rarer the more", () => {
  const texts = [vectorOf(0, 2), vectorOf(1, 2), vectorOf(0, 1), vectorOf(1)];
  const cosines = cosinesWithSum(texts, [texts[0]!]).map((cosine) => cosine.toFixed(2));
  assert.deepEqual(cosines, ["1.00", "0.94", "0.17", "0.00"]);
});

Deno.test("cosinesWithSum() gives the same in any order of terms", () => {
  const [one, next] = [vectorOf(0, 1, 2), vectorOf(2, 1, 0)];
  assert.deepEqual(cosinesWithSum([one], [next]), cosinesWithSum([next], [one]));
});

Deno.test("cosinesWithSum() gives 0 where there are no terms", () => {
  assert.deepEqual(cosinesWithSum([vectorOf(), vectorOf(0)], [vectorOf()]), [0, 0]);
});
