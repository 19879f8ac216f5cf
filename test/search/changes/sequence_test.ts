import assert from "node:assert/strict";
import { CatchingUp, takeInSlices } from "../../../src/search/changes/sequence.ts";

Deno.test("takeInSlices() processes all rows in order, and lets timers fire in between", async () => {
  const taken: number[] = [];
  let takenBeforeTimer = -1;
  setTimeout(() => takenBeforeTimer = taken.length);
  const rows = Array.from({ length: 30 }, (_, n) => n);
  await takeInSlices(rows, (row) => {
    taken.push(row);
    const start = performance.now();
    while (performance.now() - start < 1);
  });
  assert.deepEqual(taken, rows);
  assert.ok(takenBeforeTimer > 0 && takenBeforeTimer < 30, `${takenBeforeTimer}`);
});

Deno.test("CatchingUp runs one run at a time, starts one after each call, and survives failures", async () => {
  let running = 0;
  let runs = 0;
  const catchingUp = new CatchingUp(async () => {
    assert.equal(running++, 0);
    const number = ++runs;
    await Promise.resolve();
    running--;
    if (number === 1) throw new Error("the connection is gone");
  });
  const [first, second] = [catchingUp.refresh(), catchingUp.refresh()];
  await assert.rejects(first, /the connection is gone/);
  await second;
  assert.equal(runs, 2);
  const third = catchingUp.refresh();
  await catchingUp.settled();
  assert.equal(runs, 3);
  await third;
});
