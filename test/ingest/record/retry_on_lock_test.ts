import assert from "node:assert/strict";
import { Failure } from "../../../src/failures.ts";
import { inTurn } from "../../../src/ingest/record/retry_on_lock.ts";

/** Returns the error of the pool if the server gave up on a statement. */
function unavailable(code: string): Failure {
  const failure = new Failure("unavailable");
  failure.cause = Object.assign(new Error("given up"), { code });
  return failure;
}

/** Fails in turn with these, and then succeeds; each call takes one. */
function failing(...failures: Error[]) {
  return () => failures.length > 0 ? Promise.reject(failures.shift()) : Promise.resolve("written");
}

Deno.test("inTurn() writes again where a lock was waited for too long, or a deadlock met", async () => {
  assert.equal(await inTurn(failing(unavailable("55P03"), unavailable("40P01"))), "written");
});

Deno.test("inTurn() gives up at the fifth loss", async () => {
  const losses = Array.from({ length: 5 }, () => unavailable("55P03"));
  const last = losses[4];
  await assert.rejects(inTurn(failing(...losses)), (error) => error === last);
  assert.equal(await inTurn(failing(...losses.slice(1))), "written");
});

Deno.test("inTurn() does not repeat what failed for another reason", async () => {
  const timeout = unavailable("57014");
  await assert.rejects(inTurn(failing(timeout)), (error) => error === timeout);
});
