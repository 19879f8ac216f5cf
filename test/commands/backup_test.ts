/** Backups and moves keep API keys and replays, and usage counters agree with the ledger. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { backup, move, restore } from "../../src/commands/backup.ts";
import type { CommandContext } from "../../src/commands/command.ts";
import { UsageError } from "../../src/failures.ts";
import { readSettings } from "../../src/config.ts";
import type { Database, Sql } from "../../src/db/connect.ts";
import { copyTables } from "../../src/db/copy_tables.ts";
import { openDatabase } from "../../src/db/migrate.ts";
import { verifyUsage } from "../../src/operations/report.ts";
import { withApp } from "../support/app.ts";
import { findBinaries } from "../support/cluster.ts";
import { withDataDir } from "../support/data_dir.ts";
import { createDatabase, HAS_SERVER, serverTest } from "../support/database.ts";
import { createCaller, record } from "../support/factories.ts";
import { assertSettled, countRows, LONG_WINDOW, silent } from "../support/operations.ts";

const ASKED = { query: "freezer warehouse" };

serverTest("copyTables() refuses a target that has only observations", async ({ sql }) => {
  await record(sql, [{}]);
  await assert.rejects(copyTables(sql, sql), /is not empty/);
});

async function ask(db: Database, key: string, request_key: string) {
  let answer: { status: number; body: object } | undefined;
  await withApp(db, async ({ search }) => {
    const { status, body } = await search(ASKED, { key, request_key });
    answer = { status, body };
  });
  assert.equal(answer!.status, 200);
  return answer!.body;
}

function contextOf(DATA_DIR: string): CommandContext {
  return {
    log: silent,
    settings: readSettings({ DATA_DIR }),
    database: () =>
      openDatabase({ data_dir: DATA_DIR, borrow: true, must_exist: true, log: silent }),
  };
}

type Command = (
  args: string[],
  context: CommandContext,
  print: (line: string) => void,
) => Promise<number>;

async function run(command: Command, args: string[], data_dir: string) {
  const lines: string[] = [];
  const code = await command(args, contextOf(data_dir), (line) => lines.push(line));
  const answer = JSON.parse(lines.join());
  assert.equal(code, answer.differences?.length > 0 ? 1 : 0);
  return answer;
}

/** Opens a database, runs `use` with it, and closes it. */
async function within<T>(data_dir: string, use: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ data_dir, log: silent });
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}

/** Creates a database with one delivered operation, and a backup of it while it is in use. */
async function prepare(directory: string) {
  return await within(`${directory}/data`, async (db) => {
    const { key } = await createCaller(db.sql, LONG_WINDOW);
    await record(db.sql, [{ observed_fact: "A freezer warehouse opens." }]);
    const first = await ask(db, key, "first");
    const written = await run(backup, [`${directory}/backup`], `${directory}/data`);
    assert.ok(written.files > 100 && written.bytes > 1e6, JSON.stringify(written));
    // The backup does not contain this later operation.
    await ask(db, key, "second");
    return { key, first };
  });
}

Deno.test("a backup of a database in use restores the same key and replay", async () => {
  await withDataDir(async (directory) => {
    const { key, first } = await prepare(directory);
    const path = `${directory}/backup`;
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    const { differences } = await run(restore, [path], `${directory}/restored`);
    assert.deepEqual(differences, []);
    await within(`${directory}/restored`, async (db) => {
      assert.deepEqual(await countRows(db.sql), { operations: 1, settlements: 1, messages: 0 });
      assert.deepEqual(await ask(db, key, "first"), first);
      // The restored database can be used, and assigns no id twice.
      await ask(db, key, "third");
      await assertSettled(db.sql);
      await db.sql`select pgmq.archive('operations', pgmq.send('operations', '{}'))`;
    });
    await checkRefusals(directory);
    if (HAS_SERVER) await checkMove(`${directory}/restored`, { key, first });
    await checkDifference(directory);
  });
});

/** Checks that a copy of a database with a wrong counter is reported, and ends with 1. */
async function checkDifference(directory: string): Promise<void> {
  await within(`${directory}/restored`, async ({ sql }) => {
    await sql`update allowances set week_request_units = 77`;
    await run(backup, [`${directory}/wrong`], `${directory}/restored`);
  });
  const { differences } = await run(restore, [`${directory}/wrong`], `${directory}/wrong_data`);
  assert.notDeepEqual(differences, []);
}

/** Entries that would write outside the new directory, or through a link. */
const HOSTILE = [
  { name: "pglite/../../outside", type: "file" },
  { name: "pglite/..", type: "directory" },
  { name: "/outside", type: "file" },
  { name: "pglite/link", type: "symlink", linkname: "/etc" },
];

for (const header of HOSTILE) {
  Deno.test(`restore refuses a backup with the ${header.type} ${header.name}`, async () => {
    await withDataDir(async (directory) => {
      const archive = pack();
      archive.entry(header, header.type === "file" ? "hostile" : undefined);
      archive.finalize();
      const bytes = gzipSync(Buffer.concat(await Array.fromAsync(archive)));
      await Deno.writeFile(`${directory}/backup`, bytes);
      await assert.rejects(run(restore, [`${directory}/backup`], `${directory}/new`), (error) => {
        assert.match(String((error as Error).cause), /unexpected entry/);
        return true;
      });
      const left = (await Array.fromAsync(Deno.readDir(directory))).map(({ name }) => name);
      assert.deepEqual(left, ["backup"]);
    });
  });
}

/**
 * Checks that faulty backups, existing targets and wrong usage are refused without a change.
 */
async function checkRefusals(directory: string): Promise<void> {
  const path = `${directory}/backup`;
  const cut = `${directory}/cut`;
  await Deno.writeFile(cut, (await Deno.readFile(path)).subarray(0, -1_000));
  await Deno.writeTextFile(`${directory}/text`, "no backup");
  const fresh = `${directory}/fresh`;
  for (const broken of [cut, `${directory}/text`]) {
    await assert.rejects(run(restore, [broken], fresh), /is no complete backup/);
  }
  await assert.rejects(run(restore, [`${directory}/absent`], fresh), /is no file/);
  await assert.rejects(run(restore, [directory], fresh), /cannot be restored/);
  await assert.rejects(
    run(backup, [`${directory}/absent/x`], `${directory}/data`),
    /ENOENT|os error 2/,
  );
  const { rename } = Deno;
  Deno.rename = () => Promise.reject(new Error("no space"));
  await assert.rejects(run(backup, [`${directory}/part`], `${directory}/data`), /no space/)
    .finally(() => Deno.rename = rename);
  assert.ok([...Deno.readDirSync(directory)].every(({ name }) => !name.startsWith("part")));
  await assert.rejects(Deno.stat(fresh), Deno.errors.NotFound);
  await assert.rejects(run(restore, [path], `${directory}/data`), /exists already/);
  await assert.rejects(run(backup, [path], `${directory}/data`), /exists already/);
  await assert.rejects(run(backup, ["a", "b"], `${directory}/data`), /One FILE is required/);
  await assert.rejects(run(move, ["--to", "mysql://x"], `${directory}/data`), UsageError);
  // A start must not create a database beside one that was restored only in part.
  await Deno.mkdir(`${fresh}/pglite.restoring`, { recursive: true });
  await assert.rejects(openDatabase({ data_dir: fresh, log: silent }), /was interrupted/);
}

async function countForeignKeys(sql: Sql): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*) from pg_constraint where contype = 'f'
  `;
  return count;
}

async function checkMove(
  data_dir: string,
  { key, first }: { key: string; first: object },
): Promise<void> {
  await using database = await createDatabase();
  const { rows, differences } = await run(move, ["--to", database.url], data_dir);
  assert.deepEqual(differences, []);
  // An archived message of failed work stays for the operator.
  assert.deepEqual([rows["public.operations"], rows["pgmq.a_operations"]], [2, 1]);
  const db = await openDatabase({ database_url: database.url, data_dir: "", log: silent });
  try {
    // A replay has the present request_allowance, not the one of the first answer.
    const kept = await ask(db, key, "first");
    assert.deepEqual({ ...kept, request_allowance: null }, { ...first, request_allowance: null });
    await ask(db, key, "fourth");
    await record(db.sql, [{}]);
    await assertSettled(db.sql);
    // The move has restored all constraints.
    const keys = await within(data_dir, ({ sql }) => countForeignKeys(sql));
    assert.ok(keys > 0);
    assert.equal(await countForeignKeys(db.sql), keys);
    await assert.rejects(run(move, ["--to", database.url], data_dir), /is not empty/);
  } finally {
    await db.close();
  }
}

async function runTool(name: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(`${findBinaries()}/${name}`, { args })
    .output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

serverTest("pg_dump and pg_restore keep the same key and replay", async ({ db, sql, url }) => {
  const { key } = await createCaller(sql, LONG_WINDOW);
  await record(sql, [{ observed_fact: "A freezer warehouse opens." }]);
  const first = await ask(db, key, "first");
  await withDataDir(async (directory) => {
    const path = `${directory}/dump`;
    await runTool("pg_dump", ["--format=custom", `--file=${path}`, url]);
    await using database = await createDatabase();
    await runTool("pg_restore", [
      "--no-owner",
      "--exit-on-error",
      `--dbname=${database.url}`,
      path,
    ]);
    const restored = await openDatabase({ database_url: database.url, data_dir: "", log: silent });
    try {
      assert.deepEqual((await verifyUsage(restored.sql)).differences, []);
      assert.deepEqual(await ask(restored, key, "first"), first);
      await ask(restored, key, "second");
      await assertSettled(restored.sql);
    } finally {
      await restored.close();
    }
  });
}, { ignore: findBinaries() === undefined });
