import assert from "node:assert/strict";
import { floorTable, formatNumber, medianOf, ratioFloor, roundsFloor } from "../../bench/floors.ts";

Deno.test("ratioFloor() is met from min and up to max", () => {
  const met = (ratio: number, bound: { min?: number; max?: number }) =>
    ratioFloor("x", ratio, { ...bound, of: "y" }).met;
  assert.deepEqual([199.9, 200, 200.1].map((ratio) => met(ratio, { min: 200 })), [
    false,
    true,
    true,
  ]);
  assert.deepEqual([7.9, 8, 8.1].map((ratio) => met(ratio, { max: 8 })), [true, true, false]);
});

Deno.test("formatNumber() rounds to three significant digits, or to an integer", () => {
  assert.deepEqual([0.012345, 1.2345, 123.45, 1234.5, 0].map(formatNumber), [
    "0.0123",
    "1.23",
    "123",
    "1,235",
    "0",
  ]);
});

Deno.test("floorTable() returns a Markdown table that marks missed floors", () => {
  const rows = [
    ratioFloor("speed", 3, { min: 3, of: "1 ms and 3 ms" }),
    ratioFloor("growth", 9, { max: 8, of: "1 ms and 9 ms" }),
    { what: "info", floor: "", measured: "1" },
  ];
  assert.equal(
    floorTable(rows),
    [
      "| what   | floor            | measured                | met    |",
      "| ------ | ---------------- | ----------------------- | ------ |",
      "| speed  | at least 3 times | 3 times (1 ms and 3 ms) | yes    |",
      "| growth | at most 8 times  | 9 times (1 ms and 9 ms) | **no** |",
      "| info   |                  | 1                       |        |",
    ].join("\n"),
  );
});

Deno.test("roundsFloor() is met if the worst round meets the floor", () => {
  const times = [[1, 200], [1, 250], [1, 190]] as const;
  const ratios = times.map(([ours, peer]) => peer / ours);
  assert.equal(roundsFloor("x", ratios, { min: 190, times }).met, true);
  assert.equal(roundsFloor("x", ratios, { min: 191, times }).met, false);
  assert.equal(roundsFloor("x", [0.5, 0.9], { max: 0.9, times }).met, true);
  assert.equal(roundsFloor("x", [0.5, 1], { max: 0.9, times }).met, false);
  const { measured, met } = roundsFloor("x", ratios, { times });
  assert.equal(measured, "200 times, rounds 190 to 250 (1 ms and 200 ms)");
  assert.equal(met, undefined);
});

Deno.test("medianOf() returns the middle value, or the mean of two", () => {
  assert.equal(medianOf([3, 1, 2]), 2);
  assert.equal(medianOf([4, 1, 3, 2]), 2.5);
  assert.equal(medianOf([7]), 7);
});
