import assert from "node:assert/strict";
import { floorTable, formatNumber, ratioFloor } from "../../bench/floors.ts";

Deno.test("ratioFloor() is met up to the bound and not beyond", () => {
  const met = (ratio: number, bound: { least?: number; most?: number }) =>
    ratioFloor("x", ratio, { ...bound, of: "y" }).met;
  assert.deepEqual([199.9, 200, 200.1].map((ratio) => met(ratio, { least: 200 })), [
    false,
    true,
    true,
  ]);
  assert.deepEqual([7.9, 8, 8.1].map((ratio) => met(ratio, { most: 8 })), [true, true, false]);
});

Deno.test("formatNumber() has three digits that matter", () => {
  assert.deepEqual([0.012345, 1.2345, 123.45, 1234.5, 0].map(formatNumber), [
    "0.0123",
    "1.23",
    "123",
    "1,235",
    "0",
  ]);
});

Deno.test("floorTable() is Markdown that says what was missed", () => {
  const rows = [
    ratioFloor("speed", 3, { least: 3, of: "1 ms and 3 ms" }),
    ratioFloor("growth", 9, { most: 8, of: "1 ms and 9 ms" }),
    { what: "told", floor: "", measured: "1" },
  ];
  assert.equal(
    floorTable(rows),
    [
      "| what   | floor            | measured                | met    |",
      "| ------ | ---------------- | ----------------------- | ------ |",
      "| speed  | at least 3 times | 3 times (1 ms and 3 ms) | yes    |",
      "| growth | at most 8 times  | 9 times (1 ms and 9 ms) | **no** |",
      "| told   |                  | 1                       |        |",
    ].join("\n"),
  );
});
