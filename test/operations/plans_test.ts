/** Tests that statements find operations by indexes, even if planned while tables were empty. */
import assert from "node:assert/strict";
import { run } from "../../src/operations/run.ts";
import { databaseTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import {
  fixedAction,
  LONG_WINDOW,
  memoryAction,
  memoryContext,
  runContext,
} from "../support/operations.ts";

/** Number of requests of each kind. Without indexes, each reads the rows of all earlier ones. */
const REQUESTS = 40;

databaseTest("plans of empty tables do not read all operations later", async ({ sql }) => {
  const { caller } = await createCaller(sql, LONG_WINDOW);
  const records = await record(sql, Array.from({ length: 3 }, () => ({})));
  const entries = records.map(({ company_id, observation_id }) => ({
    company_id,
    observation_ids: [observation_id],
  }));
  await sql`analyze operations, shortlists, ledger`;
  await sql.begin(async (transaction) => {
    const early = memoryContext(transaction as unknown as typeof sql, caller);
    const claimed = runContext(transaction as unknown as typeof sql);
    for (let n = 0; n < REQUESTS; n++) {
      const read = (kind: string) => () => ({ request_key: `${kind}${n}`, inputs: { limit: 2 } });
      await run(early, memoryAction(entries), caller, read("early"));
      await run(claimed, fixedAction(entries), caller, read("claimed"));
    }
    const [{ rows }] = await transaction<[{ rows: number }]>`
      select sum(seq_tup_read) as rows from pg_stat_xact_user_tables
      where relname in ('operations', 'shortlists', 'ledger')
    `;
    assert.ok(rows <= REQUESTS, `${rows} rows were read`);
  });
});
