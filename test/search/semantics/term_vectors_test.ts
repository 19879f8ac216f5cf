import assert from "node:assert/strict";
import type { SemanticModel } from "../../../src/search/semantics/model.ts";
import { cosinesWithSum, TermVectors } from "../../../src/search/semantics/term_vectors.ts";

/** A model with three terms. The last one is the rarest. */
const MODEL = { parts: { rarity: Uint16Array.of(256, 256, 1024) } } as SemanticModel;

function vectorOf(...rows: number[]) {
  const vectors = new TermVectors(MODEL);
  for (const row of rows) vectors.add(row, 1);
  return vectors.finish();
}

Deno.test("cosinesWithSum() gives rare shared terms a higher weight", () => {
  const texts = [vectorOf(0, 2), vectorOf(1, 2), vectorOf(0, 1), vectorOf(1)];
  const cosines = cosinesWithSum(texts, [texts[0]!]).map((cosine) => cosine.toFixed(2));
  assert.deepEqual(cosines, ["1.00", "0.94", "0.17", "0.00"]);
});

Deno.test("cosinesWithSum() does not depend on the order of terms", () => {
  const [one, next] = [vectorOf(0, 1, 2), vectorOf(2, 1, 0)];
  assert.deepEqual(cosinesWithSum([one], [next]), cosinesWithSum([next], [one]));
});

Deno.test("cosinesWithSum() returns 0 for vectors without terms", () => {
  assert.deepEqual(cosinesWithSum([vectorOf(), vectorOf(0)], [vectorOf()]), [0, 0]);
});
