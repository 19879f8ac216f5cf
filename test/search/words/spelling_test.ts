import assert from "node:assert/strict";
import { correctionsOf } from "../../../src/search/words/spelling.ts";

/** Returns the corrections of a word among words with their frequencies. */
function corrected(frequencies: Readonly<Record<string, number>>, word: string): string[] {
  return correctionsOf(word, Object.keys(frequencies), (each) => frequencies[each]!);
}

Deno.test("correctionsOf() allows one edit, and two from eight letters on", () => {
  const words = { roofing: 1, concrete: 1, plumber: 1 };
  assert.deepEqual(corrected(words, "rofing"), ["roofing"]);
  assert.deepEqual(corrected(words, "rofingg"), []);
  assert.deepEqual(corrected(words, "konkrete"), ["concrete"]);
  assert.deepEqual(corrected(words, "pulmber"), ["plumber"]);
});

Deno.test("correctionsOf() puts near words before frequent ones, and gives at most three", () => {
  const words = { contracts: 5, contrast: 9, contract: 7, contrasts: 100, contralto: 1 };
  assert.deepEqual(corrected(words, "contrasct"), ["contrast", "contract", "contrasts"]);
});

Deno.test("correctionsOf() leaves short words, numbers and indexed words alone", () => {
  const words = { cat: 1, c2025: 1, roof: 1 };
  assert.deepEqual(corrected(words, "cot"), []);
  assert.deepEqual(corrected(words, "c2026"), []);
  assert.deepEqual(corrected(words, "roof"), []);
});

Deno.test("correctionsOf() counts letters that are wrong, missing, added or swapped", () => {
  const near = (word: string, ...words: string[]) => correctionsOf(word, words, () => 1).sort();
  assert.deepEqual(near("pulmber", "plumber", "pumber", "pulmbers", "pulmbas"), [
    ...["plumber", "pulmbers", "pumber"],
  ]);
  assert.deepEqual(near("contarctro", "contractor", "contractors"), ["contractor"]);
});
