import assert from "node:assert/strict";
import { countResults } from "./run.ts";

const report = `<testsuites name="deno test" tests="4" failures="1" errors="0" time="1.0">
  <testsuite name="./a_test.ts" tests="4" disabled="1" errors="0" failures="1">
    <testcase name="passes" classname="./a_test.ts" time="0.1" line="1" col="6">
    </testcase>
    <testcase name="passes too" classname="./a_test.ts" time="0.1" line="2" col="6"/>
    <testcase name="fails" classname="./a_test.ts" time="0.1" line="3" col="6">
      <failure message="&lt;testcase&gt;">Error</failure>
    </testcase>
    <testcase name="ignored" classname="./a_test.ts" time="0.0" line="4" col="6">
      <skipped/>
    </testcase>
  </testsuite>
</testsuites>`;

Deno.test("countResults() counts the cases of the report", () => {
  assert.deepEqual(countResults({ report, output: "", success: false }), { passed: 2, failed: 1 });
});

Deno.test("countResults() counts a module that failed to load once", () => {
  const output = "b_test.ts (uncaught error)\nnoise\n\nb_test.ts (uncaught error)\n";
  assert.deepEqual(countResults({ report, output, success: false }), { passed: 2, failed: 2 });
});

Deno.test("countResults() counts a failure if the run failed without a report", () => {
  assert.deepEqual(countResults({ report: "", output: "", success: false }), {
    passed: 0,
    failed: 1,
  });
});
