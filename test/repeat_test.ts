import assert from "node:assert/strict";
import { createLog } from "../src/log.ts";
import { repeat } from "../src/repeat.ts";

Deno.test("repeat() pauses, backs off after an error, and ends at the signal without a message", async () => {
  const { setTimeout } = globalThis;
  const pauses: number[] = [];
  globalThis.setTimeout = ((done: () => void, milliseconds: number) => {
    pauses.push(milliseconds);
    return setTimeout(done);
  }) as typeof setTimeout;
  const lines: string[] = [];
  const log = createLog("info", (line) => lines.push(line));
  const stopping = new AbortController();
  const lost = new Error("the connection is lost");
  const outcomes = [false, true, lost, false, lost];
  const step = () => {
    const outcome = outcomes.shift()!;
    if (outcomes.length === 0) stopping.abort();
    return outcome === lost ? Promise.reject(outcome) : Promise.resolve(outcome === true);
  };
  try {
    await repeat(log, step, { pauseMs: 300, signal: stopping.signal, name: "index" });
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assert.deepEqual(pauses, [300, 2_000, 300]);
  assert.deepEqual(lines.map((line) => JSON.parse(line).loop), ["index"]);
});
