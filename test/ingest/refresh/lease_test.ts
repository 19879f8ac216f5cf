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

Deno.test("FeedLease aborts its signal at a stop, which does not count as a lost lease", async () => {
  const stop = new AbortController();
  await using lease = new FeedLease(() => Promise.resolve(true), stop.signal);
  lease.check();
  stop.abort(new Error("stopping"));
  assert.throws(() => lease.check(), /stopping/);
  assert.equal(lease.lost, false);
});
