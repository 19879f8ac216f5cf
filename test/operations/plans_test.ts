/** Tests that statements find operations by indexes, even if planned while tables were empty. */
import assert from "node:assert/strict";
import type { Sql } from "../../src/db/connect.ts";
import { run } from "../../src/operations/run.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { entryOf, fixedAction, LONG_WINDOW, runContext } from "../support/operations.ts";

/** Number of requests. Without indexes, each reads the rows of all earlier ones. */
const REQUESTS = 40;

databaseTest("run() uses indexes, even if planned for empty tables", async ({ sql }) => {
  const { caller } = await createCaller(sql, LONG_WINDOW);
  const records = await record(sql, Array.from({ length: 3 }, () => ({})));
  const action = fixedAction(records.map(entryOf));
  await sql`analyze operations, shortlists, ledger`;
  await sql.begin(async (transaction) => {
    const context = runContext(transaction as unknown as Sql);
    for (let n = 0; n < REQUESTS; n++) {
      await run(context, action, caller, () => ({ request_key: `key${n}`, inputs: { limit: 2 } }));
    }
    const [{ rows }] = await transaction<[{ rows: number }]>`
      select sum(seq_tup_read) as rows from pg_stat_xact_user_tables
      where relname in ('operations', 'shortlists', 'ledger')
    `;
    assert.ok(rows <= REQUESTS, `${rows} rows were read`);
  });
});
