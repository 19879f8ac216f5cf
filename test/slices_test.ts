import assert from "node:assert/strict";
import { Slices } from "../src/slices.ts";

Deno.test("Slices.isOver is true after 5 ms, and turn() begins the next slice", async () => {
  let time = 100;
  let turns = 0;
  const slices = new Slices({
    now: () => time,
    pause: () => {
      turns++;
      time += 1_000;
      return Promise.resolve();
    },
  });
  time += 4;
  assert.equal(slices.isOver, false);
  time += 1;
  assert.equal(slices.isOver, true);
  await slices.turn();
  assert.equal(slices.isOver, false);
  assert.equal(turns, 1);
});

Deno.test("Slices.turn() lets timers fire", async () => {
  let hasFired = false;
  setTimeout(() => hasFired = true);
  await new Slices().turn();
  assert.equal(hasFired, true);
});
