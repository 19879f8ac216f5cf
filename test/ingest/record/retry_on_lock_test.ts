import assert from "node:assert/strict";
import { Failure } from "../../../src/failures.ts";
import { retryOnLock } from "../../../src/ingest/record/retry_on_lock.ts";

/** Returns the error of the pool if the server gave up on a statement. */
function unavailable(code: string): Failure {
  const failure = new Failure("unavailable");
  failure.cause = Object.assign(new Error("given up"), { code });
  return failure;
}

/** Returns a write that fails with each of these in order, and then succeeds. */
function failing(...failures: Error[]) {
  return () => failures.length > 0 ? Promise.reject(failures.shift()) : Promise.resolve("written");
}

Deno.test("retryOnLock() repeats a statement that waited too long for a lock, or met a deadlock", async () => {
  assert.equal(await retryOnLock(failing(unavailable("55P03"), unavailable("40P01"))), "written");
});

Deno.test("retryOnLock() gives up at the fifth loss", async () => {
  const losses = Array.from({ length: 5 }, () => unavailable("55P03"));
  const last = losses[4];
  await assert.rejects(retryOnLock(failing(...losses)), (error) => error === last);
  assert.equal(await retryOnLock(failing(...losses.slice(1))), "written");
});

Deno.test("retryOnLock() does not repeat what failed for another reason", async () => {
  const timeout = unavailable("57014");
  await assert.rejects(retryOnLock(failing(timeout)), (error) => error === timeout);
});
