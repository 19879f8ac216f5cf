import assert from "node:assert/strict";
import {
  CITY_NAMES,
  FURTHER_CITIES,
  REGION_NAMES,
  regionName,
  regionOf,
} from "../../../src/ingest/classify/gazetteer.ts";

Deno.test("regionOf() reads codes and names in both languages, and knows no other country's", () => {
  const fields = {
    NB: ["NB", "nb", "New Brunswick", "Nouveau-Brunswick", "NOUVEAU BRUNSWICK"],
    QC: ["QC", "PQ", "Quebec", "Québec"],
    NL: ["Newfoundland & Labrador", "Terre-Neuve-et-Labrador"],
  };
  for (const [code, texts] of Object.entries(fields)) {
    for (const text of texts) assert.equal(regionOf("CA", text), code, text);
  }
  assert.equal(regionOf("US", "Georgia"), "GA");
  assert.equal(regionOf("US", "Washington"), "WA");
  assert.equal(regionOf("US", "Ontario"), undefined);
  assert.equal(regionOf("CA", ""), undefined);
});

Deno.test("regionName() returns the English name of each region", () => {
  assert.equal(regionName("CA", "QC"), "Quebec");
  assert.equal(regionName("US", "NY"), "New York");
  assert.equal(regionName("US", "GA"), "Georgia");
  assert.equal(regionName("US", "XX"), "XX");
});

Deno.test("the gazetteer has all regions, and no city twice in a region", () => {
  assert.equal(Object.keys(REGION_NAMES.CA).length, 13);
  assert.equal(Object.keys(REGION_NAMES.US).length, 51 + 5);
  for (const country of ["CA", "US"] as const) {
    for (const code of Object.keys(FURTHER_CITIES[country])) {
      const names = [CITY_NAMES, FURTHER_CITIES]
        .flatMap((table) => (table[country][code] ?? "").split(/[|=]/))
        .map((name) => name.replace("*", ""));
      assert.deepEqual(names.filter((name, at) => names.indexOf(name) !== at), [], code);
    }
  }
});
