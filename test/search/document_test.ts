import assert from "node:assert/strict";
import { SECTOR_CODES } from "../../src/contract/vocabulary.ts";
import { facetNameBit, PLACE_FACETS, sectorMask } from "../../src/search/index/document.ts";

Deno.test("sectorMask() has a bit for every sector, by its code or the beginning of a longer one", () => {
  assert.equal(sectorMask(SECTOR_CODES), 2 ** SECTOR_CODES.length - 1);
  assert.equal(sectorMask(["31-33"]), 1 << SECTOR_CODES.indexOf("31-33"));
  assert.equal(sectorMask(["3254", "33"]), sectorMask(["31-33"]));
  assert.equal(sectorMask(["236220", "72"]), sectorMask(["23"]) | sectorMask(["72"]));
  assert.equal(sectorMask(["99", "constructor", ""]), 0);
});

Deno.test("facetNameBit() has a bit for every name whose values exclude each other", () => {
  const places = ["region:US-CA", "city:laval", "metro:sf bay"].map(facetNameBit);
  assert.equal(places.reduce((bits, bit) => bits | bit), PLACE_FACETS);
  const others = ["round:series_a", "role:cfo", "document:rfp", "set_aside:8a"].map(facetNameBit);
  assert.equal(new Set([...places, ...others]).size, 7);
  assert.equal(others.some((bit) => (bit & PLACE_FACETS) !== 0), false);
  assert.equal(facetNameBit("round:seed"), facetNameBit("round:series_a"));
  for (const facet of ["technology:rust", "name:region", "regional:x", "round"]) {
    assert.equal(facetNameBit(facet), 0);
  }
});
