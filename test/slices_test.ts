import assert from "node:assert/strict";
import { Slices } from "../src/slices.ts";

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
