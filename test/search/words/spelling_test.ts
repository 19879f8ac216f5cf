import assert from "node:assert/strict";
import fc from "fast-check";
import {
  bestCorrections,
  deletionsOf,
  distanceOf,
  nearWords,
} from "../../../src/search/words/spelling.ts";

/** Returns the corrections of a word among words with their frequencies. */
function corrected(frequencies: Readonly<Record<string, number>>, word: string): string[] {
  const words = Object.keys(frequencies);
  const near = nearWords(word, words, deletionsOf(words));
  return bestCorrections(word, near, (each) => frequencies[each]!);
}

Deno.test("bestCorrections() allows one edit, and two from eight letters on", () => {
  const words = { roofing: 1, electrician: 1, plumber: 1 };
  assert.deepEqual(corrected(words, "rofing"), ["roofing"]);
  assert.deepEqual(corrected(words, "rofng"), []);
  assert.deepEqual(corrected(words, "eletrican"), ["electrician"]);
  assert.deepEqual(corrected(words, "pulmber"), ["plumber"]);
});

Deno.test("bestCorrections() puts near words before frequent ones, and gives at most three", () => {
  const words = { contracts: 5, contrast: 9, contract: 7, contrasts: 100, contralto: 1 };
  assert.deepEqual(corrected(words, "contrasct"), ["contrast", "contract", "contrasts"]);
});

Deno.test("nearWords() leaves short words, numbers and indexed words alone", () => {
  const words = { cat: 1, c2025: 1, roof: 1 };
  assert.deepEqual(corrected(words, "cot"), []);
  assert.deepEqual(corrected(words, "c2026"), []);
  assert.deepEqual(corrected(words, "roof"), []);
});

Deno.test("nearWords() finds every word within the allowed edits, as comparing all does", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 10 });
  fc.assert(fc.property(fc.uniqueArray(word, { maxLength: 3 }), word, (words, asked) => {
    const near = words.filter((each) => {
      const distance = distanceOf(asked, each);
      return distance > 0 && distance <= (asked.length < 8 ? 1 : 2);
    });
    assert.deepEqual(nearWords(asked, words, deletionsOf(words)).sort(), near.sort());
  }));
});

Deno.test("distanceOf() counts edits, and a swap as one", () => {
  assert.equal(distanceOf("plumber", "pulmber"), 1);
  assert.equal(distanceOf("kitten", "sitting"), 3);
  assert.equal(distanceOf("", "abc"), 3);
});
