import assert from "node:assert/strict";
import { instantOfDocument, packInstants } from "../../../src/search/engine/instant_columns.ts";

const DAY = 86_400_000_000;
const NOW = Date.parse("2026-11-22T12:00:00Z") * 1_000;

/** Packs instants, checks that each comes back, and returns the bytes per instant. */
function bytesOf(instants: readonly number[]): number {
  const column = packInstants(Float64Array.from(instants));
  const unpacked = instants.map((_, document) => instantOfDocument(column, document));
  assert.deepEqual(unpacked, [...instants]);
  const { places, values, uppers, lowers } = column;
  const bytes = [places, values, uppers, lowers].reduce((sum, one) => sum + one.byteLength, 0);
  return bytes / instants.length;
}

const countUp = (step: number) => Array.from({ length: 1_000 }, (_, n) => NOW + n * step);

Deno.test("packInstants() keeps days that repeat once", () => {
  const days = countUp(0).map((now, n) => now + n % 10 * DAY);
  assert.equal(bytesOf(days), 2 + 10 * 8 / 1_000);
});

Deno.test("packInstants() splits whole milliseconds of several years", () => {
  assert.equal(bytesOf(countUp(3 * DAY + 7_000)), 5);
  assert.equal(bytesOf([-Infinity, ...countUp(7_000)]), 5);
  // The lower part overflows between these two.
  const border = 1_000 * 2 ** 32 * 413;
  assert.equal(bytesOf([border - 1_000, border, border + 1_000]), 5);
});

Deno.test("packInstants() keeps what cannot be split as it is", () => {
  assert.equal(bytesOf(countUp(7)), 8);
  assert.equal(bytesOf([...countUp(7_000), Infinity]), 8);
  assert.equal(bytesOf([-5_000, ...countUp(7_000)]), 8);
  assert.equal(bytesOf([0, 1_000 * 2 ** 32 * 255, 1_000]), 8);
  assert.equal(bytesOf([-Infinity]), 8);
});
