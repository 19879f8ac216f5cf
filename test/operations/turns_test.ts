import assert from "node:assert/strict";
import { Turns } from "../../src/operations/turns.ts";

const busy = { key_hash: new Uint8Array(32).fill(1) };
const calm = { key_hash: new Uint8Array(32).fill(2) };

Deno.test("Turns.run() runs two works of a caller at once, and the others in order", async () => {
  const turns = new Turns();
  const started: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const works = ends.map(({ promise }, at) =>
    turns.run(busy, () => {
      started.push(at);
      return promise;
    })
  );
  assert.deepEqual(started, [0, 1]);
  ends[1]!.resolve(1);
  await works[1];
  assert.deepEqual(started, [0, 1, 2]);
  ends[0]!.reject(new Error("a failure passes its turn on"));
  await assert.rejects(works[0]!);
  assert.deepEqual(started, [0, 1, 2, 3]);
  for (const end of ends.slice(2)) end.resolve(0);
  await Promise.all(works.slice(1));
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
});

Deno.test("Turns.run() never lets one caller wait for another", async () => {
  const turns = new Turns();
  const end = Promise.withResolvers<void>();
  const works = Array.from({ length: 64 }, () => turns.run(busy, () => end.promise));
  assert.equal(await turns.run(calm, () => Promise.resolve("done")), "done");
  end.resolve();
  await Promise.all(works);
});
