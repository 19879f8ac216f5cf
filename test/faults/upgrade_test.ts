/** Scenario 42: processes of two versions over one database, while and after one migrates. */
import assert from "node:assert/strict";
import type { Called } from "./client.ts";
import { giveBackAsOlder, missingFunctions, sweepAsOlder, workAsOlder } from "./older_version.ts";
import { scenarios } from "./scenario.ts";
import { callAt, insist, searchCall } from "./searching.ts";

// Background work is the worker's alone, so that it can be held up.
const scenario = scenarios({ seed: 107, env: { WORKERS: "0" } });

scenario(42, "replicas serve while another version migrates", async (world) => {
  const account = await world.account();
  const called: Called[] = [];
  let over = false;
  const clients = Array.from({ length: 3 }, async (_, client) => {
    for (let n = 0; !over; n++) {
      const call = searchCall(account, world.newKey(), { observation: n % 300 });
      called.push(await callAt(world, world.replicas[(client + n) % 2]!, call));
    }
  });
  // What another version brings: every function is made anew, and a table is extended.
  await world.sql`update migrations set checksum = 'of another version' where name !~ '^[0-9]'`;
  await world.sql.unsafe(`alter table operations add column of_another_version integer`);
  const post = await world.post("newer", "start");
  over = true;
  await Promise.all(clients);
  await world.retire(post);
  const failed = called.filter(({ status }) => status !== 200);
  assert.deepEqual(failed.map(({ status, body }) => [status, body?.error?.code]), []);
  assert.ok(called.length > 10, `${called.length} calls`);
});

scenario(42, "processes of the version before go on working after a migration", async (world) => {
  assert.deepEqual(await missingFunctions(world.sql), []);
  const account = await world.account();
  world.worker.process.signal("SIGSTOP");
  try {
    const call = searchCall(account, world.newKey(), { background: true });
    const { body } = await callAt(world, world.replicas[0]!, call);
    assert.equal(body.usage.status, "pending");
    assert.deepEqual(await workAsOlder(world.sql, body.usage.id), ["leased", "settled"]);
    const answer = await insist(world, call);
    assert.deepEqual([answer.status, answer.body.usage.status], [200, "delivered"]);
    const lost = searchCall(account, world.newKey(), { background: true });
    const { body: { usage } } = await callAt(world, world.replicas[0]!, lost);
    assert.deepEqual(await giveBackAsOlder(world.sql, usage.id), ["leased", "pending"]);
    assert.deepEqual(await workAsOlder(world.sql, usage.id), ["leased", "settled"]);
    assert.equal((await insist(world, lost)).status, 200);
    assert.deepEqual(await sweepAsOlder(world.sql), ["expired", "retired", "taken_over"]);
  } finally {
    world.worker.process.signal("SIGCONT");
  }
});
