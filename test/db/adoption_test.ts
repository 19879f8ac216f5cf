/** Adoption of databases with the numbered migrations, which the scripts of sql/ have replaced. */
import assert from "node:assert/strict";
import { ADOPTED } from "../../src/db/adopted.ts";
import type { Database } from "../../src/db/connect.ts";
import { migrate, migrationsCurrent } from "../../src/db/migrate.ts";
import { FUNCTION_SCRIPTS, type Script, VIEW_SCRIPTS } from "../../src/db/scripts.ts";
import { catalogueOf } from "../support/catalogue.ts";
import { emptyDatabaseTest } from "../support/empty_database.ts";

const numbered = numberedMigrations();

function numberedMigrations(): Script[] {
  const text = Deno.readTextFileSync("test/db/numbered_migrations.sql");
  const [, ...parts] = text.split(/^--- /m);
  return parts.map((part) => {
    const end = part.indexOf("\n");
    return { name: part.slice(0, end), text: part.slice(end + 1) };
  });
}

/**
 * Scripts of the version with numbered migrations. That version already had scripts of functions,
 * which it ran again after a change, but no scripts of views.
 */
const before = { tables: numbered, views: [], functions: FUNCTION_SCRIPTS };

const RECORDED = [
  "0002_operations",
  "0003_dataset",
  "0004_search",
  "0005_operators",
  "0006_operation_checks",
  "0007_search_tables",
  "0008_dataset_moments",
  "0009_statistics",
  "0010_references",
  ...VIEW_SCRIPTS.map(({ name }) => name),
];

/** Registers a case with two empty databases. */
function adoptionTest(name: string, body: (one: Database, two: Database) => Promise<void>): void {
  emptyDatabaseTest(name, async (open) => {
    await using one = await open();
    await using two = await open();
    await body(one.db, two.db);
  });
}

adoptionTest("migrate() adopts a database of the numbered migrations", async (old, fresh) => {
  await migrate(old, before);
  await old.sql`insert into accounts (name) values ('Kept')`;
  assert.deepEqual(await migrate(old), { applied: RECORDED });
  await migrate(fresh);
  const catalogue = await catalogueOf(old.sql);
  assert.deepEqual(catalogue, await catalogueOf(fresh.sql));
  // The minimums prove that the compared catalogues are not empty.
  for (const [what, min] of Object.entries({ columns: 250, functions: 80, constraints: 60 })) {
    assert.ok(catalogue[what]!.length >= min, `${catalogue[what]!.length} ${what}`);
  }
  assert.deepEqual([...await old.sql`select name from accounts`], [{ name: "Kept" }]);
  assert.deepEqual(await migrate(old), { applied: [] });
  // Replicas of both versions are ready.
  assert.equal(await migrationsCurrent(old.sql, before), true);
  assert.equal(await migrationsCurrent(old.sql), true);
  // The older version refuses to start, because it would restore its own functions.
  await assert.rejects(migrate(old, before), /is newer than this program.*0002_operations/);
});

adoptionTest("migrate() refuses to adopt missing or changed migrations", async (one, two) => {
  const plain = { ...before, functions: [] };
  await migrate(one, { ...plain, tables: numbered.slice(0, 12) });
  await assert.rejects(
    migrate(one),
    /lacks the migration 0014_relisted_observations: first start the previous version once/,
  );
  const [first, second, ...others] = numbered;
  const changed = { ...second!, text: `${second!.text}\n` };
  await migrate(two, { ...plain, tables: [first!, changed, ...others] });
  await assert.rejects(migrate(two), /0002_dataset was changed after it had been applied/);
  for (const { sql } of [one, two]) {
    const names = await sql<{ name: string }[]>`select name from migrations`;
    assert.ok(!names.some(({ name }) => RECORDED.includes(name)));
  }
});

Deno.test("ADOPTED contains the checksums of the numbered migrations", async () => {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
  const checksums = await Promise.all(
    numbered.map(async ({ name, text }) => [name, await digest(text)]),
  );
  assert.deepEqual(checksums, [...ADOPTED]);
});
