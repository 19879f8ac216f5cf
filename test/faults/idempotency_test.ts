/**
 * Scenarios 1 to 4, 6, 8 and 9: one request key gives one operation, even if something fails
 * meanwhile.
 */
import assert from "node:assert/strict";
import type { Called } from "./client.ts";
import { hostnameOf } from "./dataset.ts";
import { scenarios } from "./scenario.ts";
import { callAt, insist, searchCall } from "./searching.ts";
import type { World } from "./world.ts";

const scenario = scenarios({ seed: 101 });

/** Returns the number of operations and settlements with a request key. */
async function countOf(world: World, request_key: string) {
  const [row] = await world.sql<{ operations: number; settlements: number }[]>`
    select count(*)::integer as operations, count(l.id)::integer as settlements
    from operations o left join ledger l on l.operation_id = o.id
    where request_key = ${request_key}
  `;
  return { ...row! };
}

const ONCE = { operations: 1, settlements: 1 };

scenario(1, "fifty concurrent identical requests are one operation", async (world) => {
  const call = searchCall(await world.account(), world.newKey());
  const called = await Promise.all(
    Array.from({ length: 50 }, (_, n) => callAt(world, world.replicas[n % 2]!, call)),
  );
  const last = await insist(world, call);
  assert.equal(last.status, 200);
  for (const { status } of called) assert.ok([200, 202, 503].includes(status!), `${status}`);
  assert.deepEqual(await countOf(world, call.request_key!), ONCE);
});

scenario(2, "one key over HTTP, over MCP and in the background is one operation", async (world) => {
  const account = await world.account();
  for (let round = 0; round < 5; round++) {
    const call = searchCall(account, world.newKey(), { observation: round });
    const ways = [{}, { door: "mcp" }, { background: true }, { door: "mcp", background: true }];
    await Promise.all(
      ways.map((way, n) =>
        callAt(world, world.replicas[n % 2]!, { ...call, ...way } as typeof call)
      ),
    );
    const answers = await Promise.all(
      ways.map((way) => insist(world, { ...call, ...way } as typeof call)),
    );
    for (const { status } of answers) assert.equal(status, 200);
    assert.deepEqual(await countOf(world, call.request_key!), ONCE);
  }
});

scenario(3, "a used key with other inputs is a conflict on both replicas", async (world) => {
  const account = await world.account();
  const call = searchCall(account, world.newKey());
  const first = await insist(world, call);
  const others = [
    { ...call.inputs, limit: 6 },
    { ...call.inputs, filters: { countries: ["CA"] } },
    { ...call.inputs, query: "something else" },
  ];
  for (const post of world.replicas) {
    for (const inputs of others) {
      const { status, body } = await callAt(world, post, { ...call, inputs });
      assert.deepEqual([status, body.error.code], [422, "idempotency_conflict"]);
    }
  }
  const again = await insist(world, call);
  assert.deepEqual(again.body.usage, first.body.usage);
});

scenario(4, "a retry with equivalent inputs is a replay", async (world) => {
  const hostnames = [hostnameOf(1), hostnameOf(2)];
  const call = searchCall(await world.account(), world.newKey());
  const inputs = { ...call.inputs, filters: { domains: hostnames, countries: ["CA", "US"] } };
  const forms = [
    { countries: ["US", "CA"], domains: hostnames.toReversed() },
    { countries: ["CA", "US", "CA"], domains: hostnames.map((name) => name.toUpperCase()) },
    { countries: ["CA", "US"], domains: hostnames.map((name) => ` ${name}. `), kinds: [] },
  ];
  const first = await insist(world, { ...call, inputs });
  assert.equal(first.status, 200);
  for (const [n, filters] of forms.entries()) {
    const again = await callAt(world, world.replicas[n % 2]!, {
      ...call,
      inputs: { ...inputs, cursor: null, filters },
      meaning: inputs,
    });
    assert.deepEqual([again.status, again.record.answer?.replayed], [200, true]);
  }
  assert.deepEqual(await countOf(world, call.request_key!), ONCE);
});

scenario(6, "a client that hangs up and retries is charged once", async (world) => {
  const account = await world.account();
  const keys = Array.from({ length: 30 }, () => world.newKey());
  const lost: Called[] = [];
  for (const [n, request_key] of keys.entries()) {
    const call = searchCall(account, request_key, { observation: n });
    // The client hangs up before the request arrives, during the work, or during the answer.
    const hang_up_milliseconds = world.choose.integer(1, 25);
    lost.push(await callAt(world, world.replicas[n % 2]!, { ...call, hang_up_milliseconds }));
    assert.equal((await insist(world, call)).status, 200);
    assert.deepEqual(await countOf(world, request_key), ONCE);
  }
  assert.ok(lost.some(({ status }) => status === null), "no client hung up before its answer");
});

scenario(8, "an operation is settled once if the answer of settle is lost", async (world) => {
  const account = await world.account();
  for (const [n, post] of world.replicas.entries()) {
    const call = searchCall(account, world.newKey(), { observation: n });
    const trap = post.proxy.cutAtAnswer("settle_operation");
    const [first] = await Promise.all([callAt(world, post, call), trap.sprung]);
    assert.deepEqual([first.status, first.body.error.code], [503, "unavailable"]);
    assert.deepEqual(await countOf(world, call.request_key!), ONCE);
    const retry = await insist(world, call);
    assert.deepEqual([retry.status, retry.record.answer?.replayed], [200, true]);
    assert.deepEqual(await countOf(world, call.request_key!), ONCE);
  }
});

scenario(9, "an expired operation always gets the same answer", async (world) => {
  const account = await world.account();
  const call = searchCall(account, world.newKey());
  world.history.may_fail.add(`${account.account_id}/${call.request_key}`);
  const [post] = world.replicas;
  const trap = post!.proxy.holdBefore("settle_operation");
  const first = callAt(world, post!, call);
  await trap.sprung;
  await world.sql`update operations set deadline_at = now() where request_key = ${call
    .request_key!}`;
  const ended = await callAt(world, world.replicas[1]!, call);
  assert.deepEqual([ended.status, ended.body.error.code], [422, "usage_expired"]);
  trap.release();
  assert.equal((await first).body.error.code, "usage_expired");
  for (const one of world.replicas) {
    for (const door of ["http", "mcp"] as const) {
      const { body } = await callAt(world, one, { ...call, door });
      assert.deepEqual([body.error.code, body.usage], ["usage_expired", ended.body.usage]);
    }
  }
  assert.deepEqual(await countOf(world, call.request_key!), { operations: 1, settlements: 0 });
});
