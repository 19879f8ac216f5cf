import assert from "node:assert/strict";
import { longestBlock } from "../../bench/blocks.ts";

function block(milliseconds: number) {
  for (const start = performance.now(); performance.now() - start < milliseconds;);
}

const loop = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("longestBlock() returns the longest block of the event loop, not the total time", async () => {
  const start = performance.now();
  const longest = await longestBlock(async () => {
    for (const milliseconds of [10, 40, 10, 10, 10]) {
      block(milliseconds);
      await loop();
      await loop();
    }
  });
  const all = performance.now() - start;
  assert.ok(longest >= 40, `${longest} ms`);
  assert.ok(longest <= all - 35, `${longest} ms of ${all}`);
});

Deno.test("longestBlock() measures a block at the end, and work that blocks throughout", async () => {
  const atEnd = await longestBlock(async () => {
    await loop();
    block(20);
  });
  assert.ok(atEnd >= 20, `${atEnd} ms`);
  // deno-lint-ignore require-await -- the work blocks throughout because it awaits nothing
  const throughout = await longestBlock(async () => block(20));
  assert.ok(throughout >= 20, `${throughout} ms`);
});
