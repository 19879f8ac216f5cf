import assert from "node:assert/strict";
import { Failure } from "../../../src/failures.ts";
import { retryOnLock } from "../../../src/ingest/record/pipeline.ts";

/** Returns the error of the pool for a statement that the server aborted. */
function unavailable(code: string): Failure {
  const failure = new Failure("unavailable");
  failure.cause = Object.assign(new Error("aborted"), { code });
  return failure;
}

/** Returns a write that fails with these errors in order, and then succeeds. */
function failing(...failures: Error[]) {
  return () => failures.length > 0 ? Promise.reject(failures.shift()) : Promise.resolve("written");
}

Deno.test("retryOnLock() retries a statement after a lock time-out or a deadlock", async () => {
  assert.equal(await retryOnLock(failing(unavailable("55P03"), unavailable("40P01"))), "written");
});

Deno.test("retryOnLock() gives up at the fifth failure", async () => {
  const failures = Array.from({ length: 5 }, () => unavailable("55P03"));
  const last = failures[4];
  await assert.rejects(retryOnLock(failing(...failures)), (error) => error === last);
  assert.equal(await retryOnLock(failing(...failures.slice(1))), "written");
});

Deno.test("retryOnLock() does not retry a statement that failed for another reason", async () => {
  const timeout = unavailable("57014");
  await assert.rejects(retryOnLock(failing(timeout)), (error) => error === timeout);
});
