/** Scenario 42: processes of two versions use one database during and after a migration. */
import assert from "node:assert/strict";
import { migrate } from "../../src/db/migrate.ts";
import { readSchema, type Script } from "../../src/db/scripts.ts";
import { eventually } from "../support/waiting.ts";
import type { Account, Called, FaultCall } from "./client.ts";
import { companyOf, hostnameOf } from "./dataset.ts";
import { giveBackAsOlder, sweepAsOlder, workAsOlder } from "./older_version.ts";
import { scenarios } from "./scenario.ts";
import { callAt, insist, searchCall } from "./searching.ts";

// Only the worker process does background work, so that a scenario can delay it. The command `work`
// has at least one worker, even with this setting.
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
  // Another version recreates every function and extends a table.
  await world.sql`update migrations set checksum = 'of another version' where name ~ '/'`;
  await world.sql.unsafe(`alter table operations add column of_another_version integer`);
  const post = await world.post("newer", "start");
  over = true;
  await Promise.all(clients);
  await world.retire(post);
  const failed = called.filter(({ status }) => status !== 200);
  assert.deepEqual(failed.map(({ status, body }) => [status, body?.error?.code]), []);
  assert.ok(called.length > 10, `${called.length} calls`);
});

scenario(42, "processes of the previous version work after a migration", async (world) => {
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

/**
 * Returns the calls of a client in one round: searches through both doors and in the background, a
 * replay, a lookup, a listing and a usage report.
 */
function callsOf(account: Account, n: number, key: () => string): FaultCall[] {
  const observation = n % 300;
  const domains = [hostnameOf(companyOf(observation))];
  const search = searchCall(account, key(), { observation });
  return [
    search,
    search,
    searchCall(account, key(), { observation, door: "mcp" }),
    searchCall(account, key(), { observation, background: true }),
    { account, request_key: key(), action: "get_companies", inputs: { domains } },
    {
      account,
      request_key: key(),
      action: "list_observations",
      inputs: { domains, since: "2020-01-01T00:00:00Z" },
    },
    { account, action: "get_usage", inputs: {} },
  ];
}

/** Migrations of a newer version, which take locks in another order than requests do. */
const EXPANSION: Script[] = [{
  name: "9000_expansion",
  text: `
    alter table allowances add column of_newer integer;
    alter table operations add column of_newer integer not null default 0;
    alter table ledger add column of_newer integer;
    alter table observations add column of_newer text;
    alter table operations add constraint of_newer_range check (of_newer >= 0) not valid;
    alter table operations validate constraint of_newer_range;
    create index if not exists of_newer on operations (claimed_at);
  `,
}];

scenario(42, "a migration fails no request of the previous version", async (world) => {
  const account = await world.account();
  const called: Called[] = [];
  let over = false;
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let n = client; !over; n += 4) {
      for (const call of callsOf(account, n, () => world.newKey())) {
        called.push(await callAt(world, world.replicas[n % 2]!, call));
      }
    }
  });
  const enough = (count: number) =>
    eventually(`${count} calls`, () => Promise.resolve(called.length >= count));
  await enough(50);
  // CHANGELOG.md asks operators of large databases for this before they start the newer version.
  await world.sql.unsafe(`create index concurrently of_newer on operations (claimed_at)`);
  const { tables, views, functions } = readSchema();
  const newer = {
    tables: [...tables, ...EXPANSION],
    views: views.map(withComment),
    functions: functions.map(withComment),
    version: "9.0.0",
  };
  const { applied } = await migrate(world, newer);
  assert.equal(applied.length, views.length + functions.length + 2);
  await enough(called.length + 50);
  over = true;
  await Promise.all(clients);
  const failed = called.filter(({ status }) => status !== 200 && status !== 202);
  assert.deepEqual(failed.map(({ status, body }) => [status, body?.error?.code]), []);
  // Later steps use commands of this version, which refuse a database of a newer one.
  await world.sql`delete from migrations where name in ('program', '9000_expansion')`;
});

/** Returns the script as changed by a newer version, so that it is run again. */
function withComment({ name, text }: Script): Script {
  return { name, text: `-- Of a newer version.\n${text}` };
}
