import assert from "node:assert/strict";
import { outcomeOf } from "./trial.ts";

Deno.test("outcomeOf() distinguishes noticed, unnoticed and broken bugs", () => {
  const cases: [output: string, success: boolean, outcome: string, late?: boolean][] = [
    ["1 passed, 0 failed\n", true, "survived"],
    ["1 passed, 0 failed\n", true, "timed out", true],
    ["error: AssertionError: 1 !== 2\n0 passed, 1 failed\n", false, "killed"],
    ["0 passed, 0 failed\n", true, "broken"],
    ["error: x.ts (uncaught error)\n0 passed, 1 failed\n", false, "broken"],
    ['PostgresError: syntax error at or near "then"\n0 passed, 1 failed\n', false, "broken"],
    ['PostgresError: column "x" does not exist\n0 passed, 1 failed\n', false, "broken"],
    ["nothing was run", false, "broken"],
  ];
  for (const [output, success, outcome, late = false] of cases) {
    assert.equal(outcomeOf({ output, success, late }), outcome, output);
  }
});
