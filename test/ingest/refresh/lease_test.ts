import assert from "node:assert/strict";
import { FeedLease, LeaseLost } from "../../../src/ingest/refresh/lease.ts";

const NEVER = new AbortController().signal;

async function* entries() {
  for (let n = 0; n < 3; n++) yield await Promise.resolve(n);
}

Deno.test("whileHeld() yields entries until the lease is lost", async () => {
  await using lease = new FeedLease(() => Promise.resolve(true), NEVER);
  const read: number[] = [];
  await assert.rejects(async () => {
    for await (const entry of lease.whileHeld(entries())) {
      read.push(entry);
      if (entry === 1) assert.throws(() => lease.lose(), LeaseLost);
    }
  }, LeaseLost);
  assert.deepEqual(read, [0, 1]);
  assert.ok(lease.lost && lease.signal.aborted);
});

Deno.test("a renewed lease ends a minute after the renewal began, not after its answer", async () => {
  const { now } = performance;
  const { setInterval } = globalThis;
  let time = 0;
  let tick = () => {};
  performance.now = () => time;
  Object.assign(globalThis, { setInterval: (renew: () => void) => void (tick = renew) });
  try {
    const renew = () => Promise.resolve((time += 30_000) > 0);
    await using lease = new FeedLease(renew, NEVER);
    time = 20_000;
    tick();
    await Promise.resolve();
    time = 80_000;
    lease.check();
    time++;
    assert.throws(() => lease.check(), LeaseLost);
  } finally {
    Object.assign(performance, { now });
    Object.assign(globalThis, { setInterval });
  }
});

Deno.test("FeedLease aborts its signal at a stop, which does not count as a lost lease", async () => {
  const stop = new AbortController();
  await using lease = new FeedLease(() => Promise.resolve(true), stop.signal);
  lease.check();
  stop.abort(new Error("stopping"));
  assert.throws(() => lease.check(), /stopping/);
  assert.equal(lease.lost, false);
});
