/** Compares the table of scenarios in docs/testing.md with the tests that it names. */
import assert from "node:assert/strict";

/** Numbers of the scenarios that have tests. */
const SCENARIOS = Array.from({ length: 56 }, (_, n) => n + 1);

/** Returns the number of each row, and the cell that names its tests. */
function readTable(): { number: number; proofs: string }[] {
  const text = Deno.readTextFileSync("docs/testing.md");
  return [...text.matchAll(/^\| +(\d+) \|[^|]+\| (.+?) *\|$/gm)]
    .map(([, number, proofs]) => ({ number: Number(number), proofs: proofs! }));
}

Deno.test("docs/testing.md has a row for every scenario", () => {
  const numbers = readTable().map(({ number }) => number);
  assert.deepEqual(numbers, SCENARIOS);
});

Deno.test("every test that docs/testing.md names for a scenario exists", () => {
  for (const { number, proofs } of readTable()) {
    const named = [...proofs.matchAll(/`(test\/[\w/]+_test\.ts)`(?:: ([^;]+))?/g)];
    assert.ok(named.length > 0, `scenario ${number}`);
    for (const [, file, name] of named) {
      const text = Deno.readTextFileSync(file!);
      if (name !== undefined) assert.ok(text.includes(name.trim()), `${file}: ${name}`);
      else assert.match(text, new RegExp(`scenario\\(\\s*${number},|scenario ${number}:`), file);
    }
  }
});
