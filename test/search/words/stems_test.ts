import assert from "node:assert/strict";
import { fold, stem } from "../../../src/search/words/stems.ts";

Deno.test("stem() gives one stem to the forms of a word, in each language", () => {
  assert.equal(stem("Roofs", "en"), stem("roof", "en"));
  assert.equal(stem("lampadaires", "fr"), stem("Lampadaire", "fr"));
  assert.equal(stem("toiture", "fr"), "toitur");
  assert.deepEqual([stem("national", "en"), stem("national", "fr")], ["nation", "national"]);
});

Deno.test("stem() separates English words to which the Porter algorithm gives one stem", () => {
  const pairs = [
    ["interns", "international"],
    ["organic", "organization"],
    ["university", "universal"],
    ["authors", "authority"],
    ["new", "news"],
    ["community", "communication"],
  ] as const;
  for (const [one, other] of pairs) assert.notEqual(stem(one, "en"), stem(other, "en"), other);
  assert.equal(stem("Universities", "en"), stem("university", "en"));
  assert.equal(stem("organizations", "en"), stem("organization", "en"));
});

Deno.test("stem() keeps the beginning of a run that is no word", () => {
  assert.equal(stem("A".repeat(100), "en"), "a".repeat(40));
});

Deno.test("fold() drops accents, capital letters and ligatures", () => {
  assert.equal(fold("Œuvre d’ÉTÉ straße"), "oeuvre d'ete strasse");
});
