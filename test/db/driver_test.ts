/** Tests that ended statements are freed early, and that statements behave as the driver's. */
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

databaseTest("a statement is sent once, and can be awaited often", async ({ sql }) => {
  const statement = sql<{ id: string }[]>`select gen_random_uuid() as id`;
  const awaited = [...await Promise.all([statement, statement]), await statement];
  assert.equal(new Set(awaited.map(([row]) => row!.id)).size, 1);

  const executed = sql`select 2 as two`.execute();
  await sql`select 3`;
  assert.deepEqual([...await executed], [{ two: 2 }]);

  const failing = sql`select 1 / 0`;
  await assert.rejects(failing, { code: "22012" });
  await assert.rejects(failing, { code: "22012" });
});

databaseTest("a statement has the methods of a promise and of the driver", async ({ sql }) => {
  const select = () => sql`select ${1}::int as one`;
  let finished = 0;
  assert.equal(await select().then((rows) => rows[0]!.one), 1);
  assert.deepEqual([...await select().finally(() => finished++)], [{ one: 1 }]);
  assert.equal(await sql`select 1 / 0`.catch(({ code }) => code), "22012");
  // The options that simple() sets must not apply to later statements.
  assert.deepEqual([...await sql`select 1 as one`.simple()], [{ one: 1 }]);
  assert.deepEqual([...await select().values()], [[1]]);
  assert.deepEqual([...await sql.unsafe("select $1::int as one", [1])], [{ one: 1 }]);
  assert.deepEqual([select() instanceof Promise, finished], [true, 1]);
});

databaseTest("the stack of an error names the place of its statement", async ({ sql }) => {
  const divide = (by: number) => sql`select 1 / ${by}::int`;
  await divide(1);
  await assert.rejects(divide(0), ({ stack }: Error) => {
    const frames = stack!.split("\n").slice(-4);
    return /divide .*driver_test\.ts/.test(frames[0]!);
  });
});

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
