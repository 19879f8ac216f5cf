/** Deadlines end connections that are silent without being closed. */
import assert from "node:assert/strict";
import { connect } from "../../src/db/connect.ts";
import { openPool } from "../../src/db/pool.ts";
import { readAddress } from "../../src/db/address.ts";
import { serverTest } from "../support/database.ts";
import { silent } from "../support/operations.ts";
import { startProxy } from "../support/proxy.ts";
import { eventually } from "../support/waiting.ts";

/**
 * Returns the error code of failed work, "no failure" if it succeeds, or undefined if it is not
 * settled in time.
 */
async function failureWithin(seconds: number, work: Promise<unknown>): Promise<unknown> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), seconds * 1000);
  const failing = work.then(() => "no failure", (error) => error.code);
  return await Promise.race([failing, late.promise]).finally(() => clearTimeout(timer));
}

const UNAVAILABLE = { name: "Failure", code: "unavailable" };

serverTest("the deadline of one silent connection closes all idle connections", async ({ url }) => {
  const proxy = startProxy(url);
  const db = await connect({
    database_url: proxy.url,
    data_dir: "",
    log: silent,
    max_connections: 3,
    statement_timeout_seconds: 1,
  });
  await Promise.all(Array.from({ length: 3 }, () => db.sql`select pg_sleep(0.05)`));
  proxy.fallSilent();
  assert.equal(proxy.silentConnections, 3);
  await assert.rejects(db.sql`select 1`, UNAVAILABLE);
  // The next statements do not wait for another deadline.
  const rows = await Promise.all([1, 2, 3].map((n) => db.sql`select ${n}::integer as n`));
  assert.deepEqual(rows.map(([row]) => row!.n), [1, 2, 3]);
  await eventually(
    "all three connections are closed",
    () => Promise.resolve(proxy.silentConnections === 0),
  );
  await db.close();
  await proxy.close();
});

serverTest("a silent connection fails its transaction and is closed", async (t) => {
  const proxy = startProxy(t.url);
  const pool = await openPool({
    session: readAddress(proxy.url),
    connections: 1,
    wait_seconds: 3,
    deadline_seconds: 600,
    transaction_deadline_seconds: 1,
  });
  const transaction = pool.sql.begin(async (tx) => {
    await tx`select 1`;
    proxy.fallSilent();
    await tx`select 2`;
  });
  assert.equal(await failureWithin(30, transaction), "unavailable");
  await eventually(
    "the connection is closed",
    () => Promise.resolve(proxy.silentConnections === 0),
  );
  assert.deepEqual([...await pool.sql`select 1 as one`], [{ one: 1 }]);
  await pool.close();
  await proxy.close();
});

Deno.test("connect() gives up if a server accepts connections but sends nothing", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepting = listener.accept();
  const connecting = connect({
    database_url: `postgres://me@127.0.0.1:${listener.addr.port}/db`,
    data_dir: "",
    log: silent,
    statement_timeout_seconds: 1,
  });
  const refused = assert.rejects(connecting);
  const connection = await accepting;
  const buffer = new Uint8Array(1024);
  // The loop reads the startup packet, and ends when the client closes the connection.
  while (await connection.read(buffer) !== null);
  await refused;
  connection.close();
  listener.close();
});
