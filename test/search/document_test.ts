import assert from "node:assert/strict";
import { SECTOR_CODES } from "../../src/contract/vocabulary.ts";
import { facetNameBit, PLACE_FACETS, sectorMask } from "../../src/search/index/document.ts";

Deno.test("sectorMask() sets a bit per sector, also for longer codes that begin with its code", () => {
  assert.equal(sectorMask(SECTOR_CODES), 2 ** SECTOR_CODES.length - 1);
  assert.equal(sectorMask(["31-33"]), 1 << SECTOR_CODES.indexOf("31-33"));
  assert.equal(sectorMask(["3254", "33"]), sectorMask(["31-33"]));
  assert.equal(sectorMask(["236220", "72"]), sectorMask(["23"]) | sectorMask(["72"]));
  assert.equal(sectorMask(["99", "constructor", ""]), 0);
});

Deno.test("facetNameBit() returns a bit per facet name whose values exclude each other", () => {
  const places = ["region:US-CA", "city:laval", "metro:sf bay"].map(facetNameBit);
  assert.equal(places.reduce((bits, bit) => bits | bit), PLACE_FACETS);
  const exclusive = ["round:series_a", "role:cfo", "document:rfp", "set_aside:8a"].map(
    facetNameBit,
  );
  assert.equal(new Set([...places, ...exclusive]).size, 7);
  assert.equal(exclusive.some((bit) => (bit & PLACE_FACETS) !== 0), false);
  assert.equal(facetNameBit("round:seed"), facetNameBit("round:series_a"));
  for (const facet of ["technology:rust", "name:region", "regional:x", "round"]) {
    assert.equal(facetNameBit(facet), 0);
  }
});
