/** Tests the time limit of a promise. */
import assert from "node:assert/strict";
import { inTime } from "../src/search/searches.ts";

Deno.test("inTime() returns the value or the error of the promise", async () => {
  assert.equal(await inTime(Promise.resolve(7), 60_000, "late"), 7);
  await assert.rejects(inTime(Promise.reject(new Error("lost")), 60_000, "late"), {
    message: "lost",
  });
});

Deno.test("inTime() throws an error with its message when the time is over", async () => {
  await assert.rejects(inTime(new Promise(() => {}), 1, "late"), { message: "late" });
});
