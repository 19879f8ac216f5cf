/** Checks that the list of mutants fits the code. Only test/mutants/run.ts plants the mutants. */
import assert from "node:assert/strict";
import { findText, MUTANTS } from "./mutants/mutant.ts";
import { mutantTable } from "./mutants/table.ts";

const read = (file: string) => Deno.readTextFileSync(file);

Deno.test("every mutant has a distinct name, and changes the text that it finds", () => {
  const names = MUTANTS.map(({ name }) => name);
  assert.deepEqual(names.filter((name, place) => names.indexOf(name) !== place), []);
  assert.deepEqual(MUTANTS.filter(({ find, replace }) => find === replace), []);
  assert.ok(names.length >= 40, `${names.length} mutants`);
});

Deno.test("the text of every mutant occurs exactly once in its file", () => {
  const lost = MUTANTS.filter(({ file, find }) => findText(read(file), find) === undefined);
  assert.deepEqual(lost.map(({ name }) => name), []);
});

Deno.test("the test that notices a mutant exists", () => {
  const lost = MUTANTS.filter(({ noticed_by: { file, test } }) => !namesTest(read(file), test));
  assert.deepEqual(lost.map(({ name }) => name), []);
});

/**
 * Returns whether the text of a file contains the name of a test, or a template literal that can
 * yield the name.
 */
function namesTest(text: string, test: string): boolean {
  const name = test.replace(/( \[(pglite|postgres)\])?$/, "");
  if (text.includes(JSON.stringify(name))) return true;
  const templates = [...text.matchAll(/`((?:[^`\\]|\\.)*)`/g)].map(([, template]) => template!);
  return templates.some((template) => {
    const parts = template.split(/\$\{[^}]*\}/);
    if (parts.length === 1 || parts.join("").length < 10) return false;
    return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join(".+")}$`).test(name);
  });
}

Deno.test("docs/testing.md contains the table of mutants", () => {
  const cells = (line: string) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()).join("|");
  const documented = new Set(read("docs/testing.md").split("\n").map(cells));
  const [, , ...rows] = mutantTable(MUTANTS).split("\n").map(cells);
  assert.deepEqual(rows.filter((row) => !documented.has(row)), [], "run deno task mutants --table");
});
