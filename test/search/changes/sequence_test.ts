import assert from "node:assert/strict";
import { CatchingUp, pagesAfter, takeInSlices } from "../../../src/search/changes/sequence.ts";

/** Returns a reader of the rows 1 to `end`, and the positions after which it has read. */
function rowsUpTo(end: number) {
  const positions: number[] = [];
  const read = ({ after, limit }: { after: number; limit: number }) => {
    positions.push(after);
    const rows = Array.from({ length: Math.min(limit, end - after) }, (_, n) => after + 1 + n);
    return Promise.resolve({ rows, count: rows.length, last: rows.at(-1) ?? after });
  };
  return { positions, read };
}

Deno.test("pagesAfter() yields pages up to the first one that is not full", async () => {
  const cases = [
    { end: 7, from: 1, positions: [1, 4], pages: [[2, 3, 4], [5, 6, 7], []] },
    { end: 5, from: 0, positions: [0, 3], pages: [[1, 2, 3], [4, 5]] },
    { end: 0, from: 0, positions: [0], pages: [[]] },
  ];
  for (const { end, from, positions, pages } of cases) {
    const source = rowsUpTo(end);
    const seen: number[][] = [];
    for await (const { rows } of pagesAfter(from, { limit: 3, read: source.read })) seen.push(rows);
    assert.deepEqual(seen, pages);
    assert.deepEqual(source.positions.slice(0, positions.length), positions);
    assert.equal(source.positions.length, pages.length);
  }
});

Deno.test("pagesAfter() reads a page only when the caller requests it", async () => {
  const source = rowsUpTo(100);
  for await (const { count } of pagesAfter(0, { limit: 10, read: source.read })) {
    assert.equal(count, 10);
    break;
  }
  assert.deepEqual(source.positions, [0]);
});

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
