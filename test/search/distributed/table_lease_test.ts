import assert from "node:assert/strict";
import { TableLease } from "../../../src/search/distributed/table_lease.ts";
import { databaseTest } from "../../support/database.ts";

databaseTest(
  "claim() takes over a lease of impossible length, as after the clock was set back",
  async (t) => {
    const { sql } = t;
    const [first, second] = [new TableLease(sql, () => 0), new TableLease(sql, () => 0)];
    assert.notEqual(await first.claim(), undefined);
    assert.equal(await second.claim(), undefined);
    await sql`update search_tables set leased_until = clock_timestamp() + interval '1 hour'`;
    assert.notEqual(await second.claim(), undefined);
  },
);

databaseTest("release() works after stop()", async ({ sql }) => {
  const [first, second] = [new TableLease(sql, () => 0), new TableLease(sql, () => 0)];
  assert.notEqual(await first.claim(), undefined);
  first.stop();
  assert.equal(await first.claim(), undefined);
  assert.equal(await second.claim(), undefined);
  await first.release();
  assert.notEqual(await second.claim(), undefined);
});
