import assert from "node:assert/strict";
import { createLog } from "../../src/log.ts";
import { poll } from "../../src/search/polling.ts";

/**
 * Polls once per outcome, and returns the logged lines. An outcome is an error, or undefined for
 * success.
 */
async function logged(
  outcomes: readonly (Error | undefined)[],
  poll_milliseconds = 0,
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
    poll_milliseconds,
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

Deno.test("poll() pauses twice as long after each failure, but at most a second", async () => {
  const { setTimeout } = globalThis;
  const pauses: number[] = [];
  globalThis.setTimeout = ((done: () => void, milliseconds: number) => {
    pauses.push(milliseconds);
    return setTimeout(done);
  }) as typeof setTimeout;
  try {
    await logged([lost, lost, lost, undefined, lost, undefined], 300);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assert.deepEqual(pauses, [600, 1_000, 1_000, 300, 600, 300]);
});
