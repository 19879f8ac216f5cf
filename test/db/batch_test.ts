import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { Batch } from "../../src/db/batch.ts";

/** A batch whose statements the test answers or fails. */
class Statements {
  readonly #sent: { calls: number[]; settle: PromiseWithResolvers<string[]> }[] = [];

  readonly batch = new Batch<number, string>((calls) => {
    const settle = Promise.withResolvers<string[]>();
    this.#sent.push({ calls, settle });
    return settle.promise;
  });

  /** Waits for the statement of this turn of the event loop. Returns the calls of all statements. */
  async sent(): Promise<number[][]> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    return this.#sent.map(({ calls }) => calls);
  }

  answer(number: number): void {
    const { calls, settle } = this.#sent[number]!;
    settle.resolve(calls.map((call) => `result ${call}`));
  }

  fail(number: number): void {
    this.#sent[number]!.settle.reject(new Error("away"));
  }
}

Deno.test("Batch.call() shares a statement within a turn, and does not wait for earlier statements", async () => {
  const statements = new Statements();
  const first = [1, 2].map((call) => statements.batch.call(call));
  assert.deepEqual(await statements.sent(), [[1, 2]]);
  const second = statements.batch.call(3);
  assert.deepEqual(await statements.sent(), [[1, 2], [3]]);
  statements.answer(1);
  assert.equal(await second, "result 3");
  statements.answer(0);
  assert.deepEqual(await Promise.all(first), ["result 1", "result 2"]);
});

Deno.test("Batch.call() puts at most 64 calls into a statement", async () => {
  const statements = new Statements();
  const results = Array.from({ length: 129 }, (_, call) => statements.batch.call(call));
  assert.deepEqual((await statements.sent()).map((calls) => calls.length), [64, 64, 1]);
  for (const number of [2, 1, 0]) statements.answer(number);
  assert.deepEqual(
    await Promise.all(results),
    Array.from({ length: 129 }, (_, call) => `result ${call}`),
  );
});

Deno.test("Batch.call() fails only if its own statement fails", async () => {
  const statements = new Statements();
  const failed = [1, 2].map((call) => statements.batch.call(call));
  await statements.sent();
  const unaffected = statements.batch.call(3);
  await statements.sent();
  const rejected = Promise.all(failed.map((call) => assert.rejects(call, /away/)));
  statements.fail(0);
  await rejected;
  statements.answer(1);
  assert.equal(await unaffected, "result 3");
});
