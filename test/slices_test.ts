import assert from "node:assert/strict";
import { runNow, Slices } from "../src/slices.ts";

Deno.test("Slices.isOver is true after 5 ms, and turn() begins the next slice", async () => {
  let time = 100;
  const slices = new Slices({ now: () => time });
  time += 4;
  assert.equal(slices.isOver, false);
  time += 1;
  assert.equal(slices.isOver, true);
  let hasFired = false;
  setTimeout(() => hasFired = true);
  await slices.turn();
  assert.equal(slices.isOver, false);
  assert.ok(hasFired, "timers fire between slices");
});

Deno.test("run() gives turns between steps when a slice is over, and runNow() gives none", async () => {
  let time = 0;
  function* steps() {
    let hasFired = false;
    setTimeout(() => hasFired = true);
    time += 4;
    yield;
    const early = hasFired;
    time += 1;
    yield;
    return [early, hasFired];
  }
  assert.deepEqual(await new Slices({ now: () => time }).run(steps()), [false, true]);
  assert.deepEqual(runNow(steps()), [false, false]);
});
