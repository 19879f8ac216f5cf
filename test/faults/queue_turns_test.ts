/** Scenario 48: an account with a long queue of work does not delay the work of another one. */
import assert from "node:assert/strict";
import { eventually } from "../support/waiting.ts";
import { scenarios } from "./scenario.ts";
import { callAt, searchCall } from "./searching.ts";

const scenario = scenarios({ seed: 148, env: { WORKERS: "1" } });

const JOBS = 60;

scenario(48, "a job starts after at most one of 60 jobs of another account", async (world) => {
  const [busy, other] = [await world.account(), await world.account()];
  // Each replica and the worker has one loop. All three are held while they settle a job of the
  // busy account, as by slow jobs.
  const traps = world.posts.map(({ proxy }) => proxy.holdBefore("settle_operation"));
  const [post] = world.replicas;
  const queue = async (account: typeof busy) => {
    const call = searchCall(account, world.newKey(), { background: true });
    assert.equal((await callAt(world, post!, call)).status, 202);
    return call.request_key!;
  };
  for (let n = 0; n < JOBS; n++) await queue(busy);
  await Promise.all(traps.map(({ sprung }) => sprung));
  const request_key = await queue(other);
  // From now on one loop works, so that the order of the jobs is the order of their settlements.
  traps[0]!.release();
  await eventually("the job of the other account is settled", async () => {
    const rows = await world.sql`
      select from ledger l join operations o on o.id = l.operation_id
      where o.request_key = ${request_key}
    `;
    return rows.length === 1;
  });
  const settled = await world.sql<{ account_id: number }[]>`
    select o.account_id from ledger l join operations o on o.id = l.operation_id
    where o.account_id in (${busy.account_id}, ${other.account_id})
    order by l.id
  `;
  const accounts = settled.map(({ account_id }) => account_id).slice(0, 2);
  assert.deepEqual(accounts, [busy.account_id, other.account_id]);
  for (const { release } of traps) release();
  await eventually("all jobs are settled", async () => {
    const [row] = await world.sql<[{ count: number }]>`
      select count(*)::integer from operations
      where account_id in (${busy.account_id}, ${other.account_id}) and status = 'delivered'
    `;
    return row.count === JOBS + 1;
  });
});
