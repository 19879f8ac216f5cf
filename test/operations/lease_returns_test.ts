import assert from "node:assert/strict";
import { connect, type Sql } from "../../src/db/connect.ts";
import { LeaseReturns, type ReturnReason } from "../../src/operations/lease_returns.ts";
import { databaseTest, serverTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { silent, takeAt } from "../support/operations.ts";
import { startProxy } from "../support/proxy.ts";
import { eventually } from "../support/waiting.ts";

const statuses = async (sql: Sql) =>
  (await sql`select status from operations order by id`).map(({ status }) => status);

databaseTest("giveBack() queues the operation", async ({ sql }) => {
  const who = await createCaller(sql);
  const returns = new LeaseReturns({ sql, log: silent });
  const reasons: ReturnReason[] = ["failed", "unavailable", "unseen"];
  for (const reason of reasons) {
    const { token } = await takeAt(sql, who, new Date(), reason);
    await returns.giveBack(token, reason);
  }
  assert.deepEqual(await statuses(sql), ["pending", "pending", "pending"]);
  const delays = await sql`
    select round(extract(epoch from vt - enqueued_at))::integer as seconds
    from pgmq.q_operations order by msg_id
  `;
  assert.deepEqual(delays.map(({ seconds }) => seconds), [2, 1, 0]);
  // The return of an unknown lease is not retried, unless the claim may still create the lease.
  await returns.giveBack(crypto.randomUUID(), "failed");
  void returns.giveBack(crypto.randomUUID(), "unseen");
  await returns.close();
});

databaseTest(
  "giveBack() returns a lease that its claim creates only afterwards",
  async ({ sql }) => {
    const who = await createCaller(sql);
    const returns = new LeaseReturns({ sql, log: silent });
    const token = crypto.randomUUID();
    // Resolves while attempts continue, because the server may still execute the claim.
    await returns.giveBack(token, "unseen");
    await takeAt(sql, who, new Date(), "k", 5, token);
    await eventually("the lease is given back", async () => (await statuses(sql))[0] === "pending");
    await returns.close();
  },
);

databaseTest("giveBack() gives up a lease that no claim can create any more", async ({ sql }) => {
  let attempts = 0;
  const returns = new LeaseReturns({ sql, log: silent, now: () => (attempts++, new Date()) });
  const { now } = performance;
  let minutes = 0;
  // Each reading of this clock is a minute after the one before.
  performance.now = () => ++minutes * 60_000;
  try {
    await returns.giveBack(crypto.randomUUID(), "unseen");
  } finally {
    performance.now = now;
  }
  assert.equal(attempts, 1);
  await returns.close();
});

databaseTest(
  "the return of a lease that another process has replaced changes nothing",
  async (t) => {
    const { sql } = t;
    const who = await createCaller(sql);
    const { token, operation_id } = await takeAt(sql, who, new Date(), "k");
    const newer = crypto.randomUUID();
    await sql`update operations set lease_token = ${newer} where id = ${operation_id}`;
    const returns = new LeaseReturns({ sql, log: silent });
    await returns.giveBack(token, "unavailable");
    const [row] = await sql`select status, lease_token from operations`;
    assert.deepEqual({ ...row }, { status: "processing", lease_token: newer });
    await returns.close();
  },
);

serverTest("a locked operation does not delay the return of other leases", async ({ sql, url }) => {
  const who = await createCaller(sql);
  const returns = new LeaseReturns({ sql, log: silent });
  const [locked, free] = [
    await takeAt(sql, who, new Date(), "1"),
    await takeAt(sql, who, new Date(), "2"),
  ];
  const giveBack = ({ token }: { token: string }) => returns.giveBack(token, "unavailable");
  const locker = await connect({ database_url: url, data_dir: "", log: silent });
  await locker.sql.begin(async (tx) => {
    await tx`select from operations where id = ${locked.operation_id} for update`;
    await Promise.all([giveBack(locked), giveBack(free)]);
    assert.deepEqual(await statuses(sql), ["processing", "pending"]);
  });
  await eventually("the lease is given back", async () => (await statuses(sql))[0] === "pending");
  await returns.close();
  await locker.close();
});

serverTest("close() resolves while the database is unreachable", async ({ sql, url }) => {
  const who = await createCaller(sql);
  const proxy = startProxy(url);
  const through = await connect({ database_url: proxy.url, data_dir: "", log: silent });
  const returns = new LeaseReturns({ sql: through.sql, log: silent });
  const { token } = await takeAt(sql, who, new Date(), "k");
  proxy.cut();
  await returns.giveBack(token, "unavailable");
  await returns.close();
  assert.deepEqual(await statuses(sql), ["processing"]);
  await through.close();
  // The proxy can only be closed while it accepts connections.
  await proxy.restore();
  await proxy.close();
});
