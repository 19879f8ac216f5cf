import assert from "node:assert/strict";
import { SECTOR_CODES } from "../../src/contract/vocabulary.ts";
import { sectorMask } from "../../src/search/document.ts";

Deno.test("sectorMask() has a bit for every sector, by its code or the beginning of a longer one", () => {
  assert.equal(sectorMask(SECTOR_CODES), 2 ** SECTOR_CODES.length - 1);
  assert.equal(sectorMask(["31-33"]), 1 << SECTOR_CODES.indexOf("31-33"));
  assert.equal(sectorMask(["3254", "33"]), sectorMask(["31-33"]));
  assert.equal(sectorMask(["236220", "72"]), sectorMask(["23"]) | sectorMask(["72"]));
  assert.equal(sectorMask(["99", "constructor", ""]), 0);
});
