import assert from "node:assert/strict";
import { floorTable, formatNumber, medianOf } from "../../bench/floors.ts";

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
    { what: "speed", floor: "at least 3 times", measured: "3 times", met: true },
    { what: "growth", floor: "at most 8 times", measured: "9 times", met: false },
    { what: "info", floor: "", measured: "1" },
  ];
  assert.equal(
    floorTable(rows),
    [
      "| what   | floor            | measured | met    |",
      "| ------ | ---------------- | -------- | ------ |",
      "| speed  | at least 3 times | 3 times  | yes    |",
      "| growth | at most 8 times  | 9 times  | **no** |",
      "| info   |                  | 1        |        |",
    ].join("\n"),
  );
});

Deno.test("medianOf() returns the middle value, or the mean of two", () => {
  assert.equal(medianOf([3, 1, 2]), 2);
  assert.equal(medianOf([4, 1, 3, 2]), 2.5);
  assert.equal(medianOf([7]), 7);
});
