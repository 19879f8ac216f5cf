/** Checks how mutants are drawn. Only test/mutants/run.ts plants them. */
import assert from "node:assert/strict";
import { draw, mutationsOf, plant } from "./mutants/mutation.ts";
import { nearestTests } from "./mutants/nearest.ts";
import { readOptions } from "./mutants/run.ts";

const mutated = (file: string, text: string) =>
  mutationsOf(file, text).map((mutation) => plant(text, mutation));

Deno.test("mutationsOf() changes operators, bounds, calls and guards of TypeScript", () => {
  const cases: [text: string, mutated: string[]][] = [
    ["const a = b < 2;", ["const a = b <= 2;", "const a = b < 3;"]],
    ["const a: 1 | 2 = b + `c`;", []],
    ["if (a && !b) c();", [
      "if (false) c();",
      "if (a || !b) c();",
      "if (a && b) c();",
      "if (a && !b) ;",
    ]],
    ["await a.max(true);", [";", "await a.min(true);", "await a.max(false);"]],
    ["const a = b ? c : d as number;", ["const a = b ? d as number : c;"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(mutated("a.ts", text), expected, text);
});

Deno.test("mutationsOf() changes operators, bounds, calls and locks of SQL", () => {
  const cases: [text: string, mutated: string[]][] = [
    ["select 'a < 1', $1 -- 2 < 3", []],
    ["where a >= 5 and b is null for update", [
      "where a > 5 and b is null for update",
      "where a >= 6 and b is null for update",
      "where a >= 5 or b is null for update",
      "where a >= 5 and b is not null for update",
      "where a >= 5 and b is null ",
    ]],
    ["a := b; perform c(1); d -> 'e'", ["a := b; null; d -> 'e'"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(mutated("a.sql", text), expected, text);
});

Deno.test("draw() gives the same mutations for a seed, and others for another one", () => {
  const all = mutationsOf("a.ts", "const a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];");
  const drawn = draw(all, { seed: 1, count: 5 });
  assert.equal(drawn.length, 5);
  assert.deepEqual(draw(all.toReversed(), { seed: 1, count: 5 }), drawn);
  assert.deepEqual(draw(all, { seed: 1, count: 7 }).slice(0, 5), drawn);
  assert.notDeepEqual(draw(all, { seed: 2, count: 5 }), drawn);
});

Deno.test("nearestTests() prefers the file's own test, then its folder, then tests of its users", () => {
  const texts = new Map([
    ["sql/functions/metering/a.sql", "create or replace function inner_one(p_id bigint) …"],
    ["sql/functions/metering/b.sql", "create or replace function outer_one() … inner_one(1)"],
    ["src/c.ts", "export function call() { outer_one(); }"],
    ["test/c_test.ts", "call()"],
    ["test/d_test.ts", "call(); outer_one()"],
    ["test/e_test.ts", "some other words"],
    ["test/operations/f_test.ts", ""],
    ["test/g_test.ts", 'import "./support/service.ts"; call(); outer_one(); inner_one()'],
  ]);
  assert.deepEqual(nearestTests(texts, "sql/functions/metering/a.sql"), [
    "test/operations/f_test.ts",
    "test/d_test.ts",
    "test/c_test.ts",
  ]);
  assert.equal(nearestTests(texts, "src/c.ts")[0], "test/c_test.ts");
});

Deno.test("readOptions() reads the arguments, and names a wrong one", () => {
  const texts = new Map([["src/db/a.ts", ""], ["src/b.ts", ""], ["test/b_test.ts", ""]]);
  assert.deepEqual(readOptions(["--count=7", "src/db"], texts), {
    folders: new Map([["src/db", ["src/db/a.ts"]]]),
    seed: 1,
    count: 7,
  });
  assert.equal(readOptions(["--help"], texts), undefined);
  for (const wrong of ["--sed=2", "--count=0", "--seed=x", "src/c.ts"]) {
    const name = new RegExp(wrong.replace(/=.*/, ""));
    assert.throws(() => readOptions([wrong], texts), name);
  }
});
