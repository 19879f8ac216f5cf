/** Statements as tagged templates. */
import assert from "node:assert/strict";
import { commandOf, createSql } from "../../src/db/sql.ts";
import { databaseTest } from "../support/database.ts";

databaseTest("a statement is sent once, and can be awaited often", async ({ sql }) => {
  const statement = sql<{ id: string }[]>`select gen_random_uuid() as id`;
  const awaited = [...await Promise.all([statement, statement]), await statement];
  assert.equal(new Set(awaited.map(([row]) => row!.id)).size, 1);

  const failing = sql`select 1 / 0`;
  await assert.rejects(failing, { code: "22012" });
  await assert.rejects(failing, { code: "22012" });
});

databaseTest("a statement has the methods of a promise", async ({ sql }) => {
  const select = () => sql`select ${1}::int as one`;
  let finished = 0;
  assert.equal(await select().then((rows) => rows[0]!.one), 1);
  assert.deepEqual([...await select().finally(() => finished++)], [{ one: 1 }]);
  assert.equal(await sql`select 1 / 0`.catch(({ code }) => code), "22012");
  assert.deepEqual([...await sql.unsafe("select $1::int as one", [1])], [{ one: 1 }]);
  assert.deepEqual([...await sql.unsafe("select 1 as one; select 2 as two")], [{ two: 2 }]);
  assert.equal(finished, 1);
});

Deno.test("parameters are numbered across the parts of a statement", () => {
  const sql = createSql({
    send: () => Promise.reject(new Error("nothing is sent")),
    begin: () => Promise.reject(new Error("nothing is sent")),
  });
  const part = sql`a > ${1} and b < ${2}`;
  const { json } = sql;
  const statement = sql`select * from t where ${part} and c = ${json({ d: 1 })}`;
  assert.deepEqual(commandOf(statement), {
    text: `select * from t where a > $1 and b < $2 and c = $3`,
    values: [1, 2, '{"d":1}'],
  });
  assert.throws(() => commandOf(sql`select ${undefined}`), /undefined/);
});

databaseTest("a transaction whose work throws is not left open", async ({ sql }) => {
  await sql`create table wholes (n integer)`;
  const refused = sql.begin(async (tx) => {
    await tx`insert into wholes values (1)`;
    throw new Error("no more");
  });
  await assert.rejects(refused, /no more/);
  assert.deepEqual([...await sql`select * from wholes`], []);
});

databaseTest("begin() fails if its work has ignored the error of a statement", async ({ sql }) => {
  await sql`create table notes (n integer)`;
  const work = sql.begin(async (tx) => {
    await tx`insert into notes values (1)`;
    await tx`select 1 / 0`.catch(() => {});
  });
  await assert.rejects(work, /not committed/);
  assert.deepEqual([...await sql`select * from notes`], []);
});
