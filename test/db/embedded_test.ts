import assert from "node:assert/strict";
import { openPool } from "../../src/db/pool.ts";
import { openingError } from "../../src/db/embedded.ts";
import { connectEmbedded, SUPERUSER } from "../../src/db/connect.ts";
import { databaseTest, embeddedTest, openTestEmbedded } from "../support/database.ts";
import { persistently, silent } from "../support/operations.ts";

databaseTest("sql.begin() isolates twenty concurrent transactions", async ({ sql }) => {
  await sql`create table counters (id integer primary key, value integer not null)`;
  await sql`insert into counters values (1, 0)`;
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      persistently(() =>
        sql.begin(async (tx) => {
          const [row] = await tx`select value from counters where id = 1 for update`;
          await new Promise((resolve) => setTimeout(resolve, i % 3));
          await tx`update counters set value = ${row!.value + 1} where id = 1`;
        })
      )),
  );
  assert.deepEqual([...await sql`select value from counters`], [{ value: 20 }]);
});

embeddedTest("five connections answer five hundred queries correctly", async () => {
  const embedded = await openTestEmbedded();
  const db = await connectEmbedded(embedded, { log: silent, max_connections: 5 });
  const answers = await Promise.all(
    Array.from(
      { length: 500 },
      (_, i) =>
        i % 7 === 0
          ? persistently(async () => await db.sql`select ${i}::no_such_type`)
            .catch((error) => error.code)
          : persistently(async () =>
            await db.sql`select ${i}::integer as i, ${"x".repeat(i * 10)} as text`
          ).then(([row]) => row!.i),
    ),
  );
  assert.deepEqual(answers, Array.from({ length: 500 }, (_, i) => i % 7 === 0 ? "42704" : i));
  await db.close();
});

databaseTest("an error rolls a transaction back, and the pool stays usable", async ({ sql }) => {
  await sql`create table notes (id integer primary key)`;
  await assert.rejects(
    sql.begin(async (tx) => {
      await tx`insert into notes values (1)`;
      await tx`insert into notes values (1)`;
    }),
    { code: "23505" },
  );
  await assert.rejects(sql`select 1 / ${0}::integer`, { code: "22012" });
  await assert.rejects(sql`select no_such_column from notes`, { code: "42703" });
  assert.deepEqual([...await sql`select count(*) from notes`], [{ count: 0 }]);
});

databaseTest("values are read as the types on which the code relies", async ({ sql }) => {
  const [row] = await sql`
    select
      ${2 ** 40}::bigint as id,
      array[1, 2]::bigint[] as ids,
      ${[3, 4]}::bigint[] as given,
      ${["a", "b,c"]}::text[] as texts,
      ${sql.json({ nested: [1, null] })}::jsonb as body,
      timestamptz '2026-03-01T00:00:00.123Z' as at,
      current_setting('TimeZone') as zone
  `;
  assert.deepEqual({ ...row }, {
    id: 2 ** 40,
    ids: [1, 2],
    given: [3, 4],
    texts: ["a", "b,c"],
    body: { nested: [1, null] },
    at: new Date("2026-03-01T00:00:00.123Z"),
    zone: "UTC",
  });
});

embeddedTest("a transaction is rolled back if its connection breaks", async () => {
  const embedded = await openTestEmbedded();
  const db = await connectEmbedded(embedded, { log: silent });
  await db.sql`create table notes (id integer)`;
  const socket = embedded.connection();
  const second = await openPool({ ...ONE_CONNECTION, openStream: () => socket });
  const broken = second.sql.begin(async (tx) => {
    await tx`insert into notes values (1)`;
    socket.destroy(new Error("cut"));
    await tx`insert into notes values (2)`;
  });
  await assert.rejects(broken);
  assert.deepEqual([...await db.sql`select count(*) from notes`], [{ count: 0 }]);
  await second.close();
  await db.close();
});

embeddedTest("the prepared statements of a connection end with it", async () => {
  const embedded = await openTestEmbedded();
  const db = await connectEmbedded(embedded, { log: silent });
  const count = async () => {
    const [row] = await db.sql.unsafe<[{ count: number }]>(
      "select count(*) from pg_prepared_statements",
    );
    return row.count;
  };
  const before = await count();
  const second = await openPool({ ...ONE_CONNECTION, openStream: () => embedded.connection() });
  await second.sql`select ${1}::integer`;
  await second.sql`select ${"a"}::text`;
  assert.equal(await count(), before + 2);
  await second.close();
  assert.equal(await count(), before);
  await db.close();
});

embeddedTest("COPY FROM STDIN is refused, and the connection stays usable", async ({ sql }) => {
  await assert.rejects(
    sql.unsafe("copy plans from stdin"),
    ({ cause }: Error) => /does not support COPY FROM STDIN/.test(String(cause)),
  );
  assert.deepEqual([...await sql`select 1 as one`], [{ one: 1 }]);
});

Deno.test("openingError() explains the error numbers that PGlite's file system throws", () => {
  const error = new Error("It is an error already.");
  assert.equal(openingError(error), error);
  const messageOf = (thrown: unknown) => (openingError(thrown) as Error).message;
  assert.match(messageOf({ errno: 51 }), /cannot be opened: no space is left on the disk/);
  assert.match(messageOf({ errno: 2 }), /cannot be opened: file error 2\./);
});

/** Options of a pool of one connection to the embedded database. */
const ONE_CONNECTION = {
  session: SUPERUSER,
  connections: 1,
  wait_seconds: 3,
  deadline_seconds: 10,
  transaction_deadline_seconds: 10,
};
