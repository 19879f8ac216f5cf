import assert from "node:assert/strict";
import { SECTOR_CODES } from "../../src/contract/vocabulary.ts";
import { naicsSectors } from "../../src/search/index/document.ts";

Deno.test("naicsSectors() returns each sector once, also for longer codes that begin with it", () => {
  assert.deepEqual(naicsSectors(SECTOR_CODES), SECTOR_CODES);
  assert.deepEqual(naicsSectors(["3254", "33", "236220", "72"]), ["31-33", "23", "72"]);
  assert.deepEqual(naicsSectors(["99", "constructor", ""]), []);
});
