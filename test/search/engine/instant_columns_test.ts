import assert from "node:assert/strict";
import { instantOfDocument, packInstants } from "../../../src/search/engine/instant_columns.ts";

const DAY = 86_400_000_000;
const NOW = Date.parse("2026-11-22T12:00:00Z") * 1_000;

/** Packs instants, asserts that unpacking restores them, and returns the bytes per instant. */
function bytesOf(instants: readonly number[]): number {
  const column = packInstants(Float64Array.from(instants));
  const unpacked = instants.map((_, document) => instantOfDocument(column, document));
  assert.deepEqual(unpacked, [...instants]);
  const { places, values, uppers, lowers } = column;
  const bytes = [places, values, uppers, lowers].reduce((sum, one) => sum + one.byteLength, 0);
  return bytes / instants.length;
}

const series = (step: number) => Array.from({ length: 1_000 }, (_, n) => NOW + n * step);

Deno.test("packInstants() stores repeated days once", () => {
  const days = series(0).map((now, n) => now + n % 10 * DAY);
  assert.equal(bytesOf(days), 2 + 10 * 8 / 1_000);
});

Deno.test("packInstants() splits milliseconds of several years into two columns", () => {
  assert.equal(bytesOf(series(3 * DAY + 7_000)), 5);
  assert.equal(bytesOf([-Infinity, ...series(7_000)]), 5);
  // The lower 32 bits of the milliseconds overflow at this instant.
  const border = 1_000 * 2 ** 32 * 413;
  assert.equal(bytesOf([border - 1_000, border, border + 1_000]), 5);
});

Deno.test("packInstants() stores other instants unchanged", () => {
  assert.equal(bytesOf(series(7)), 8);
  assert.equal(bytesOf([...series(7_000), Infinity]), 8);
  assert.equal(bytesOf([-5_000, ...series(7_000)]), 8);
  assert.equal(bytesOf([0, 1_000 * 2 ** 32 * 255, 1_000]), 8);
  assert.equal(bytesOf([-Infinity]), 8);
});
