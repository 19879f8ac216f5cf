import assert from "node:assert/strict";
import { createLog } from "../../src/log.ts";
import { poll } from "../../src/search/polling.ts";

/**
 * Polls once per outcome, and returns the logged lines. An outcome is an error, or undefined for
 * success.
 */
async function logged(
  outcomes: readonly (Error | undefined)[],
): Promise<{ message: string; failures: number }[]> {
  const lines: string[] = [];
  const closing = new AbortController();
  const remaining = [...outcomes];
  await poll(() => {
    const outcome = remaining.shift();
    if (remaining.length === 0) closing.abort();
    return outcome === undefined ? Promise.resolve() : Promise.reject(outcome);
  }, {
    log: createLog("info", (line) => lines.push(line)),
    poll_milliseconds: 0,
    signal: closing.signal,
    complaint: "it fails",
    relief: "it works again",
  });
  return lines.map((line) => JSON.parse(line)).map(({ message, failures }) => ({
    message,
    failures,
  }));
}

const lost = new Error("the connection is lost");

Deno.test("poll() logs repeated failures ever more rarely, and the recovery once", async () => {
  const outcomes = [lost, lost, lost, lost, lost, undefined, undefined, lost, undefined];
  assert.deepEqual(await logged(outcomes), [
    { message: "it fails", failures: 1 },
    { message: "it fails", failures: 2 },
    { message: "it fails", failures: 4 },
    { message: "it works again", failures: 5 },
    { message: "it fails", failures: 1 },
    { message: "it works again", failures: 1 },
  ]);
});

Deno.test("poll() logs no failure after it was stopped", async () => {
  assert.deepEqual(await logged([undefined, undefined, lost]), []);
});
