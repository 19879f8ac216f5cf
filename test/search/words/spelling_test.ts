import assert from "node:assert/strict";
import fc from "fast-check";
import { distanceOf, SpellingIndex } from "../../../src/search/words/spelling.ts";

Deno.test("corrections() allows one edit, and two from eight letters on", () => {
  const index = new SpellingIndex(["roofing", "electrician", "plumber"], [1, 1, 1]);
  assert.deepEqual(index.corrections("rofing"), ["roofing"]);
  assert.deepEqual(index.corrections("rofng"), []);
  assert.deepEqual(index.corrections("eletrican"), ["electrician"]);
  assert.deepEqual(index.corrections("pulmber"), ["plumber"]);
});

Deno.test("corrections() puts near words before frequent ones, and gives at most three", () => {
  const words = ["contracts", "contrast", "contract", "contrasts", "contralto"];
  const index = new SpellingIndex(words, [5, 9, 7, 100, 1]);
  assert.deepEqual(index.corrections("contrasct"), ["contrast", "contract", "contrasts"]);
});

Deno.test("corrections() leaves short words, numbers and indexed words alone", () => {
  const index = new SpellingIndex(["cat", "c2025", "roof"], [1, 1, 1]);
  assert.deepEqual(index.corrections("cot"), []);
  assert.deepEqual(index.corrections("c2026"), []);
  assert.deepEqual(index.corrections("roof"), []);
});

Deno.test("corrections() finds every word within the allowed edits, as comparing all does", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 10 });
  fc.assert(fc.property(fc.uniqueArray(word, { maxLength: 3 }), word, (words, asked) => {
    const index = new SpellingIndex(words, words.map(() => 1));
    const near = words.filter((each) => {
      const distance = distanceOf(asked, each);
      return distance > 0 && distance <= (asked.length < 8 ? 1 : 2);
    });
    assert.deepEqual(index.corrections(asked).sort(), near.sort());
  }));
});

Deno.test("distanceOf() counts edits, and a swap as one", () => {
  assert.equal(distanceOf("plumber", "pulmber"), 1);
  assert.equal(distanceOf("kitten", "sitting"), 3);
  assert.equal(distanceOf("", "abc"), 3);
});
