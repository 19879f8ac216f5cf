import assert from "node:assert/strict";
import { baseOf } from "../../../src/search/trades/inflection.ts";

Deno.test("baseOf() removes the plural ending of an English word, but no other ending", () => {
  const cases: [string, string][] = [
    ["bridges", "bridge"],
    ["companies", "company"],
    ["buses", "bus"],
    ["nurses", "nurse"],
    ["houses", "house"],
    ["switches", "switch"],
    ["boxes", "box"],
    ["glass", "glass"],
    ["gas", "gas"],
    ["campus", "campus"],
    ["analysis", "analysis"],
    ["news", "news"],
    ["customs", "customs"],
    ["training", "training"],
  ];
  for (const [word, expected] of cases) assert.equal(baseOf(word, "english"), expected, word);
});

Deno.test("baseOf() removes the endings of number and gender of a French word", () => {
  const cases: [string, string][] = [
    ["ponts", "pont"],
    ["hopitaux", "hopital"],
    ["hopital", "hopital"],
    ["eaux", "eau"],
    ["materiaux", "material"],
    ["materiau", "material"],
    ["tuyaux", "tuyal"],
    ["infirmieres", "infirmier"],
    ["techniciennes", "technicien"],
    ["professionnelle", "professionnel"],
    ["municipales", "municipal"],
    ["municipaux", "municipal"],
    ["directrice", "directeur"],
    ["avocates", "avocat"],
    ["porte", "porte"],
    ["mine", "mine"],
  ];
  for (const [word, expected] of cases) assert.equal(baseOf(word, "french"), expected, word);
});
