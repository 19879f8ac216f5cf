/**
 * Reads of a message do not make it poison if outages longer than a lease interrupted the work. A
 * lease is overtaken when another process has leased the same operation.
 */
import assert from "node:assert/strict";
import { connect, type Sql } from "../../src/db/connect.ts";
import { LeaseReturns, type ReturnReason } from "../../src/operations/lease_returns.ts";
import type { RunContext } from "../../src/operations/run.ts";
import { drain } from "../../src/operations/worker.ts";
import { databaseTest, serverTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import {
  assertSettled,
  countRows,
  fixedAction,
  runContext,
  silent,
} from "../support/operations.ts";
import { startProxy } from "../support/proxy.ts";
import { actionsOf, ask, inBackground, NOTHING, readState, show } from "../support/recovery.ts";
import { eventually } from "../support/waiting.ts";

/** Ends the lease and makes its message visible, as if the outage lasted longer than the lease. */
async function outlastLease(sql: Sql): Promise<void> {
  await sql`update operations set lease_expires_at = now() where status = 'processing'`;
  await show(sql);
}

/** Reads the next message and leases its operation, as a worker does. */
async function take(sql: Sql): Promise<{ token: string; outcome: string }> {
  const token = crypto.randomUUID();
  const [row] = await sql<[{ taken: { leased: { outcome: string } } }]>`
    select take_operation(${token}, 30, null) as taken
  `;
  return { token, outcome: row.taken.leased.outcome };
}

databaseTest("outages longer than a lease never make a message poison", async ({ sql }) => {
  const who = await createCaller(sql);
  await ask(sql, who, "k", inBackground);
  const returns = new LeaseReturns({ sql, log: silent });
  // `unavailable`: the work or its settlement has failed. `unseen`: the answer with the lease has
  // never arrived.
  const reasons: ReturnReason[] = ["unavailable", "unseen"];
  let before = await take(sql);
  for (let outage = 0; outage < 8; outage++) {
    assert.equal(before.outcome, "leased");
    await outlastLease(sql);
    const next = await take(sql);
    assert.deepEqual(await readState(sql), [["processing", 2]]);
    const reason = reasons[outage % 2]!;
    const operation_id = reason === "unseen" ? null : 1;
    await returns.giveBack({ token: before.token, operation_id, reason });
    // The next reader keeps its lease, and its read counts.
    assert.deepEqual(await readState(sql), [["processing", 1]]);
    before = next;
  }
  await outlastLease(sql);
  assert.equal(await drain(runContext(sql), actionsOf(fixedAction([]))), 1);
  assert.equal((await ask(sql, who, "k")).status, 200);
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
  await returns.close();
});

databaseTest("the read of an overtaken lease does not count, unless its work failed", async (t) => {
  const { sql } = t;
  const who = await createCaller(sql);
  await ask(sql, who, "k", inBackground);
  const tokens: string[] = [];
  for (let read = 0; read < 4; read++) {
    tokens.push((await take(sql)).token);
    await outlastLease(sql);
  }
  const giveBack = async (token: string, reason: ReturnReason) => {
    const leases = [{ lease: token, operation_id: 1, reason }];
    const [row] = await sql<[{ outcomes: Record<string, string> }]>`
      select give_back_leases(${sql.json(leases)}, null) as outcomes
    `;
    return [row.outcomes[token], (await readState(sql))[0]![1]];
  };
  const [first, second, , last] = tokens as [string, string, string, string];
  assert.deepEqual(await giveBack(first, "failed"), ["given_back", 4]);
  assert.deepEqual(await giveBack(second, "unavailable"), ["given_back", 3]);
  assert.deepEqual(await giveBack(second, "unavailable"), ["unknown", 3]);
  assert.deepEqual(await giveBack(crypto.randomUUID(), "unavailable"), ["unknown", 3]);
  // The last lease has not been overtaken.
  assert.deepEqual(await giveBack(last, "unavailable"), ["given_back", 2]);
  assert.deepEqual(await readState(sql), [["pending", 2]]);
});

databaseTest("the read of an ended lease does not count once it is returned", async ({ sql }) => {
  const who = await createCaller(sql);
  await ask(sql, who, "k", inBackground);
  const { token } = await take(sql);
  await sql`select end_leases()`;
  assert.deepEqual(await readState(sql), [["pending", 1]]);
  const returns = new LeaseReturns({ sql, log: silent });
  await returns.giveBack({ token, operation_id: 1, reason: "unavailable" });
  assert.deepEqual(await readState(sql), [["pending", 0]]);
  await returns.close();
});

serverTest("no work fails if outages longer than a lease hit one process at a time", async (t) => {
  const { sql, url } = t;
  const who = await createCaller(sql);
  await ask(sql, who, "k", inBackground);
  const processes = await Promise.all([0, 1].map(async () => {
    const proxy = startProxy(url);
    const through = await connect({ database_url: proxy.url, data_dir: "", log: silent });
    return { proxy, through, context: runContext(through.sql) };
  }));
  // The connection breaks while the work reads the database, or between work and settlement.
  const works = [
    async ({ sql }: RunContext) => {
      await sql`select 1`;
      return NOTHING;
    },
    () => Promise.resolve(NOTHING),
  ];
  for (let outage = 0; outage < 4; outage++) {
    const { proxy, context } = processes[outage % 2]!;
    const work = fixedAction(() => {
      proxy.cut();
      return works[outage >> 1]!(context);
    });
    assert.equal(await drain(context, actionsOf(work)), 1);
    // The process that was cut off in the last round is connected again after it was overtaken.
    if (outage > 0) await processes[(outage + 1) % 2]!.proxy.restore();
    const isTakenBack = async () => (await readState(sql))[0]![1] === 1;
    await eventually("only the last read counts", isTakenBack);
    await outlastLease(sql);
  }
  assert.equal(await drain(processes[0]!.context, actionsOf(fixedAction([]))), 1);
  await processes[1]!.proxy.restore();
  assert.deepEqual(await countRows(sql), { operations: 1, settlements: 1, messages: 0 });
  await assertSettled(sql);
  for (const { proxy, through, context } of processes) {
    await context.returns.close();
    await through.close();
    await proxy.close();
  }
});
