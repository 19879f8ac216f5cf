import assert from "node:assert/strict";
import { createLog } from "../../src/log.ts";
import { poll } from "../../src/search/polling.ts";

/** Polls until the last outcome has come: an error to throw, or nothing. Returns what was logged. */
async function logged(
  outcomes: readonly (Error | undefined)[],
  isAwaited?: (error: unknown) => boolean,
): Promise<{ message: string; failures: number }[]> {
  const lines: string[] = [];
  const closing = new AbortController();
  const left = [...outcomes];
  await poll(() => {
    const outcome = left.shift();
    if (left.length === 0) closing.abort();
    return outcome === undefined ? Promise.resolve() : Promise.reject(outcome);
  }, {
    log: createLog("info", (line) => lines.push(line)),
    poll_milliseconds: 0,
    signal: closing.signal,
    complaint: "it fails",
    relief: "it works again",
    isAwaited,
  });
  return lines.map((line) => JSON.parse(line)).map(({ message, failures }) => ({
    message,
    failures,
  }));
}

const away = new Error("away");
const filling = new Error("filling");

Deno.test("poll() tells a failure ever more rarely, and its end once", async () => {
  const outcomes = [away, away, away, away, away, undefined, undefined, away, undefined];
  assert.deepEqual(await logged(outcomes), [
    { message: "it fails", failures: 1 },
    { message: "it fails", failures: 2 },
    { message: "it fails", failures: 4 },
    { message: "it works again", failures: 5 },
    { message: "it fails", failures: 1 },
    { message: "it works again", failures: 1 },
  ]);
});

Deno.test("poll() says nothing of what it waits for, nor of a failure once it is stopped", async () => {
  assert.deepEqual(await logged([undefined, undefined, away]), []);
  const isFilling = (error: unknown) => error === filling;
  assert.deepEqual(await logged([filling, undefined], isFilling), []);
  // The failures that count are told, however long was waited before.
  assert.deepEqual(
    await logged([filling, filling, filling, away, undefined, undefined], isFilling),
    [
      { message: "it fails", failures: 1 },
      { message: "it works again", failures: 1 },
    ],
  );
});
