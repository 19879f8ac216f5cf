import assert from "node:assert/strict";
import { Deadlines } from "../../src/db/deadlines.ts";

const SECONDS = 0.05;

Deno.test("Deadlines expires each item that is not deleted in time, at its own deadline", async () => {
  const expired: [string, number][] = [];
  const both = Promise.withResolvers<void>();
  const later = Promise.withResolvers<void>();
  const deadlines = new Deadlines<string>(SECONDS, (item) => {
    expired.push([item, performance.now()]);
    if (expired.length === 1) later.resolve();
    if (expired.length === 2) both.resolve();
  });
  const started = performance.now();
  for (const item of ["answered", "late"]) deadlines.add(item);
  deadlines.delete("answered");
  await later.promise;
  const again = performance.now();
  deadlines.add("later");
  await both.promise;
  deadlines.close();
  assert.deepEqual(expired.map(([item]) => item), ["late", "later"]);
  assert.ok(expired[0]![1] - started >= 1000 * SECONDS - 1);
  assert.ok(expired[1]![1] - again >= 1000 * SECONDS - 1);
});

Deno.test("Deadlines expires no item after it is closed", async () => {
  const deadlines = new Deadlines<string>(SECONDS, () => assert.fail("it is closed"));
  deadlines.add("a");
  deadlines.close();
  const expiry = Promise.withResolvers<void>();
  const second = new Deadlines<string>(2 * SECONDS, () => expiry.resolve());
  second.add("b");
  await expiry.promise;
  second.close();
});
