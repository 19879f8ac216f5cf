import assert from "node:assert/strict";
import { readAddress } from "../../src/db/address.ts";
import { openPool } from "../../src/db/pool.ts";
import { checkSession, connect } from "../../src/db/connect.ts";
import { serverTest } from "../support/database.ts";
import { silent } from "../support/operations.ts";
import { findPgBouncer, startPgBouncer } from "../support/pgbouncer.ts";

const REFUSAL =
  "The database's address leads through a pooler that does not keep sessions, such as PgBouncer " +
  "in transaction mode. Name the address of PostgreSQL itself: this program has a pool of its own.";

const IGNORED =
  "ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout";

const program = findPgBouncer();
const ignore = program === undefined;

const open = (database_url: string) => connect({ database_url, data_dir: "", log: silent });

serverTest("connect() refuses PgBouncer that refuses settings of sessions", async ({ url }) => {
  await using pooler = await startPgBouncer(program!, { url });
  await assert.rejects(open(pooler.url), { message: REFUSAL });
}, { ignore });

serverTest("connect() refuses PgBouncer that ignores settings of sessions", async ({ url }) => {
  await using pooler = await startPgBouncer(program!, { url, settings: IGNORED });
  await assert.rejects(open(pooler.url), { message: REFUSAL });
}, { ignore });

serverTest("checkSession() refuses two connections with one process of the server", async (t) => {
  await using pooler = await startPgBouncer(program!, { url: t.url, settings: IGNORED });
  const limits = { connections: 1, wait_seconds: 3, deadline_seconds: 3 };
  const options = { ...limits, transaction_deadline_seconds: 3, session: readAddress(pooler.url) };
  const pools = [await openPool(options), await openPool(options)] as const;
  try {
    // These are the defaults of the server, so the settings agree.
    const session = {
      statement_timeout: 0,
      lock_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    };
    await assert.rejects(checkSession([pools[0].sql, pools[1].sql], session), { message: REFUSAL });
  } finally {
    for (const pool of pools) await pool.close();
  }
}, { ignore });

serverTest("connect() accepts a server, also with one connection", async ({ url }) => {
  const db = await connect({ database_url: url, data_dir: "", log: silent, max_connections: 1 });
  assert.deepEqual([...await db.sql`select 1 as one`], [{ one: 1 }]);
  await db.close();
});
