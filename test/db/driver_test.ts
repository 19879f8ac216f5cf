/** Tests that ended statements are freed early, and how often a statement may be awaited. */
import assert from "node:assert/strict";
import { getHeapSpaceStatistics } from "node:v8";
import { databaseTest, serverTest } from "../support/database.ts";

const STATEMENTS = 2_000;
/** Rows of a statement: about 20 KB as objects. */
const ROWS = 200;
const MIB = 1024 ** 2;

serverTest("rows of ended statements do not reach the old generation of the heap", async (t) => {
  const { sql } = t;
  const select = () => sql`select n, n::text as text from generate_series(1, ${ROWS}) n`;
  for (let n = 0; n < STATEMENTS / 4; n++) await select();
  const before = oldGenerationBytes();
  for (let n = 0; n < STATEMENTS; n++) await select();
  const grown = oldGenerationBytes() - before;
  assert.ok(grown < 10 * MIB, `${(grown / MIB).toFixed(1)} MiB remain of 40 MiB`);
});

databaseTest(
  "a statement can be awaited often while it runs, and once after execute()",
  async (t) => {
    const { sql } = t;
    const statement = sql`select 1 as one`;
    assert.deepEqual(
      (await Promise.all([statement, statement])).map((rows) => [...rows]),
      [[{ one: 1 }], [{ one: 1 }]],
    );
    await assert.rejects(statement, /awaited only once/);

    const executed = sql`select 2 as two`.execute();
    await sql`select 3`;
    assert.deepEqual([...await executed], [{ two: 2 }]);

    const failing = sql`select 1 / 0`;
    await assert.rejects(failing, { code: "22012" });
    await assert.rejects(failing, { code: "22012" });
  },
);

databaseTest(
  "an ended statement is no longer under way, so that the driver cannot cancel it",
  async (t) => {
    const { sql } = t;
    const isActive = (statement: unknown) => (statement as { active: boolean }).active;
    const statement = sql`select 1`;
    await statement;
    const failing = sql`select 1 / 0`;
    await assert.rejects(failing, { code: "22012" });
    assert.deepEqual([statement, failing].map(isActive), [false, false]);
  },
);

databaseTest("a cursor is refused in a transaction too", async ({ sql }) => {
  const reading = sql.begin(async (tx) => {
    for await (const _ of tx`select 1`.cursor()) assert.fail();
  });
  await assert.rejects(reading, /Read in pages/);
  assert.deepEqual([...await sql`select 1 as one`], [{ one: 1 }]);
});

function oldGenerationBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name === "old_space")
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
