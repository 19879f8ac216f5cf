import assert from "node:assert/strict";
import { connect } from "../../src/db/connect.ts";
import { migrate, migrationsCurrent } from "../../src/db/migrate.ts";
import { readSchema } from "../../src/db/scripts.ts";
import { createDatabase, databaseTest, serverTest } from "../support/database.ts";
import { silent } from "../support/operations.ts";
import { read, scriptsUnder } from "../support/sources.ts";
import { eventually } from "../support/waiting.ts";

const schema = readSchema();
const FRUIT = { name: "9000_fruit", text: "create table fruit (name text)" };
const PEEL = {
  name: "functions/peel",
  text: "create or replace function peel() returns integer language sql as $$ select 1 $$",
};

Deno.test("readSchema() reads every script of sql/, in the order of the names", () => {
  const { tables, views, functions } = schema;
  const names = (scripts: typeof tables) => scripts.map(({ name }) => name);
  assert.equal(names(tables)[0], "0001_accounts");
  assert.deepEqual(names(views), ["views/deliverable"]);
  assert.equal(names(functions)[0], "functions/accounts/find_caller");
  for (const scripts of [tables, views, functions]) {
    assert.deepEqual(names(scripts), names(scripts).toSorted());
  }
  const all = [...tables, ...views, ...functions].map(({ name }) => `sql/${name}.sql`);
  assert.deepEqual(all.toSorted(), scriptsUnder("sql").toSorted());
  assert.equal(tables[0]!.text, read("sql/0001_accounts.sql"));
});

databaseTest("migrate() does not change a database that is current", async ({ db, sql }) => {
  assert.equal(await migrationsCurrent(sql), true);
  assert.deepEqual(await migrate(db), { applied: [] });
  const rows = await sql`select queue_name from pgmq.meta order by queue_name`;
  assert.deepEqual([...rows], [{ queue_name: "operations" }, { queue_name: "refreshes" }]);
});

databaseTest("migrate() runs new scripts, and changed functions again", async (t) => {
  const { db, sql } = t;
  const grown = {
    ...schema,
    tables: [...schema.tables, FRUIT],
    functions: [...schema.functions, PEEL],
  };
  assert.equal(await migrationsCurrent(sql, grown), false);
  assert.deepEqual(await migrate(db, grown), { applied: [FRUIT.name, PEEL.name] });
  assert.equal(await migrationsCurrent(sql, grown), true);
  const changed = {
    ...grown,
    functions: [...schema.functions, { ...PEEL, text: PEEL.text.replace("1", "2") }],
  };
  assert.deepEqual(await migrate(db, changed), { applied: [PEEL.name] });
  assert.deepEqual([...await sql`select peel()`], [{ peel: 2 }]);
});

databaseTest("migrate() refuses a migration that was changed after it ran", async ({ db, sql }) => {
  const [first, ...others] = schema.tables;
  const changed = { ...schema, tables: [{ ...first!, text: first!.text + "\n" }, ...others] };
  await assert.rejects(migrate(db, changed), /0001_accounts was changed/);
  assert.equal(await migrationsCurrent(sql, changed), false);
});

databaseTest("migrate() refuses a newer database, but running replicas stay ready", async (t) => {
  await migrate(t.db, { ...schema, tables: [...schema.tables, FRUIT] });
  await assert.rejects(migrate(t.db), /newer than this program: it has the migration 9000_fruit/);
  assert.equal(await migrationsCurrent(t.sql), true);
});

databaseTest("migrate() refuses to restore functions of an older version", async ({ db, sql }) => {
  const older = { ...schema, functions: [...schema.functions, PEEL], version: "0.9.0" };
  const newer = {
    ...schema,
    functions: [...schema.functions, { ...PEEL, text: PEEL.text.replace("1", "2") }],
    version: "0.10.0",
  };
  assert.deepEqual(await migrate(db, older), { applied: [PEEL.name, "program"] });
  assert.deepEqual(await migrate(db, newer), { applied: [PEEL.name, "program"] });
  await assert.rejects(migrate(db, older), /newer than this program: version 0.10.0 has migrated/);
  assert.deepEqual([...await sql`select peel()`], [{ peel: 2 }]);
  // Running processes of the older version stay ready. An older version with equal scripts may
  // start.
  assert.equal(await migrationsCurrent(sql, older), true);
  assert.deepEqual(await migrate(db, { ...newer, version: "0.9.1" }), { applied: [] });
  assert.deepEqual(await migrate(db, newer), { applied: [] });
});

databaseTest("migrate() rolls everything back if a script fails", async ({ db, sql }) => {
  const broken = { ...schema, tables: [...schema.tables, FRUIT, { name: "9001_x", text: "oops" }] };
  await assert.rejects(migrate(db, broken), { code: "42601" });
  assert.deepEqual([...await sql`select to_regclass('fruit') as fruit`], [{ fruit: null }]);
  assert.deepEqual(await migrate(db), { applied: [] });
});

serverTest("five concurrent calls of migrate() run the scripts once", async () => {
  await using database = await createDatabase();
  const rivals = await Promise.all(
    Array.from(
      { length: 5 },
      () => connect({ database_url: database.url, data_dir: "", log: silent, max_connections: 2 }),
    ),
  );
  const results = await Promise.all(rivals.map((db) => migrate(db)));
  assert.equal(results.filter(({ applied }) => applied.length > 0).length, 1);
  assert.equal(await migrationsCurrent(rivals[0]!.sql), true);
  await Promise.all(rivals.map((db) => db.close()));
});

serverTest("migrate() retries until it gets a lock that is held for long", async (t) => {
  const { db, sql } = t;
  const { sql: locker, close } = await connect({ database_url: t.url, data_dir: "", log: silent });
  const locked = Promise.withResolvers<void>();
  const holding = locker.begin(async (tx) => {
    await tx`lock table plans`;
    locked.resolve();
    await tx`select pg_sleep(3)`;
  });
  await locked.promise;
  const text = "alter table plans add column note text";
  const grown = { ...schema, tables: [...schema.tables, { name: "9000_note", text }] };
  assert.deepEqual(await migrate(db, grown), { applied: ["9000_note"] });
  await holding;
  await close();
  assert.deepEqual([...await sql`select count(note) from plans`], [{ count: 0 }]);
});

serverTest("migrate() retries if a transaction locks tables in another order", async (t) => {
  const { db, sql } = t;
  const text = "alter table allowances add column a text; alter table operations add column a text";
  const grown = { ...schema, tables: [...schema.tables, { name: "9000_both", text }] };
  const { sql: locker, close } = await connect({ database_url: t.url, data_dir: "", log: silent });
  let migrating: ReturnType<typeof migrate> | undefined;
  await locker.begin(async (tx) => {
    await tx`lock table operations in row exclusive mode`;
    migrating = migrate(db, grown);
    await eventually("the migration waits for operations", async () => {
      const rows = await sql`
        select from pg_locks where relation = 'operations'::regclass and not granted
      `;
      return rows.length > 0;
    });
    await tx`update allowances set week_start = week_start`;
  });
  assert.deepEqual(await migrating, { applied: ["9000_both"] });
  await close();
});

serverTest("migrate() needs no superuser", async ({ sql, url }) => {
  const role = `ce_plain_${crypto.randomUUID().slice(0, 8)}`;
  await using database = await createDatabase();
  await sql.unsafe(`create role ${role} login`);
  try {
    const name = new URL(database.url).pathname.slice(1);
    await sql.unsafe(`alter database ${name} owner to ${role}`);
    const plain = new URL(database.url);
    plain.username = role;
    const db = await connect({ database_url: plain.href, data_dir: "", log: silent });
    await migrate(db);
    assert.equal(await migrationsCurrent(db.sql), true);
    await db.close();
    const admin = await connect({ database_url: database.url, data_dir: "", log: silent });
    await admin.sql.unsafe(`reassign owned by ${role} to current_user; drop owned by ${role}`);
    await admin.close();
  } finally {
    await sql.unsafe(`drop role ${role}`);
  }
  assert.ok(url);
});
