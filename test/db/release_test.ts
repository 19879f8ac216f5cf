/** Upgrades of databases of released versions to this version. */
import assert from "node:assert/strict";
import type { Database } from "../../src/db/connect.ts";
import { migrate, migrationsCurrent } from "../../src/db/migrate.ts";
import { VERSION } from "../../src/contract/version.ts";
import type { Sql } from "../../src/db/sql.ts";
import { drain } from "../../src/operations/worker.ts";
import { withApp } from "../support/app.ts";
import { catalogueOf } from "../support/catalogue.ts";
import { emptyDatabaseTest, type OpenEmpty } from "../support/empty_database.ts";
import { migrationFaults } from "../support/migration_rules.ts";
import { assertSettled } from "../support/operations.ts";
import { askRelease, listReleases, readRelease, restoreRelease } from "../support/releases.ts";

const RELEASES = listReleases();
const LAST = RELEASES.at(-1)!;

/** Reasons why an upgrade may remove functions of a release, by the functions' signatures. */
const REMOVED_FUNCTIONS: Record<string, string> = {};

/** Registers a case for the dump of each release, restored on PGlite and on a PostgreSQL server. */
function releaseTest(
  name: string,
  body: (db: Database, about: { version: string; open: OpenEmpty }) => Promise<void>,
): void {
  for (const version of RELEASES) {
    emptyDatabaseTest(`${name}: ${version}`, async (open) => {
      await using restored = await open();
      await restoreRelease(restored.db, version);
      await body(restored.db, { version, open });
    });
  }
}

releaseTest(
  "an upgrade keeps keys, replays, cursors, queued work and usage",
  async (db, { version }) => {
    await migrate(db);
    assert.equal(await migrationsCurrent(db.sql), true);
    const { asked_at, answers, ...asked } = readRelease(version);
    await withApp(db, async (app) => {
      const work = () => drain(app.app.context, app.app.actions.metered);
      const { replay, ...others } = await askRelease({ ...app, work }, asked);
      assert.deepEqual(replay, answers.replay);
      assert.deepEqual({ ...others, replay }, answers);
    }, { now: () => new Date(asked_at) });
    await assertSettled(db.sql);
  },
);

releaseTest("an upgraded database has the schema of a new one", async (db, { open }) => {
  const before = await listFunctions(db.sql);
  await migrate(db);
  const after = await listFunctions(db.sql);
  // Running processes of the release still find every function that they call.
  const gone = before.filter((signature) => !after.includes(signature));
  assert.deepEqual(gone.filter((signature) => !(signature in REMOVED_FUNCTIONS)), []);
  assert.ok(before.length > 80, `${before.length} functions`);
  await using fresh = await open();
  await migrate(fresh.db);
  const { functions, ...expected } = await catalogueOf(fresh.db.sql);
  const upgraded = await catalogueOf(db.sql);
  assert.deepEqual(functions!.filter((one) => !upgraded.functions!.includes(one)), []);
  for (const what of ["relations", "columns", "constraints", "indexes", "triggers", "types"]) {
    assert.deepEqual(withoutBrackets(upgraded[what]), withoutBrackets(expected[what]), what);
  }
});

/** Removes the parentheses of conditions, because a dump omits some of them. */
function withoutBrackets(described: string[] | undefined): string[] {
  return described!.map((text) => text.replaceAll(/[()]/g, "")).sort();
}

Deno.test("every release of the changelog has a dump", () => {
  const changelog = Deno.readTextFileSync("CHANGELOG.md");
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, version]) => version);
  assert.deepEqual(RELEASES, released.toReversed());
  assert.ok(VERSION.localeCompare(LAST, "en", { numeric: true }) >= 0, VERSION);
});

releaseTest("a dump has rows in every table", async ({ sql }) => {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1
  `;
  const empty = [];
  for (const { name } of tables) {
    if ((await sql.unsafe(`select from ${name} limit 1`)).length === 0) empty.push(name);
  }
  assert.deepEqual(empty, []);
  const statuses = await sql`select distinct status from operations order by 1`;
  const expected = ["delivered", "expired", "failed", "pending"];
  assert.deepEqual(statuses.map(({ status }) => status), expected);
});

Deno.test("migrationFaults() names each statement that would disturb a running process", () => {
  const cases: [string, string[]][] = [
    ["alter table plans add column note text;", []],
    ["alter table plans add column note text not null default '';", []],
    ["alter table plans\n  add column note text not null;", ["requires a value"]],
    ["alter table plans alter column name set not null;", ["requires a value"]],
    ["alter table plans drop column page_limit;", ["removes"]],
    ["-- contract: 0.2.0 reads it no more\nalter table plans drop column page_limit;", []],
    ["drop function find_caller(bytea);", ["removes"]],
    ["alter table plans rename to offers;", ["renames"]],
    ["alter table plans alter column name type varchar(9);", ["changes a type"]],
    ["alter type caller add attribute note text;", ["changes a type"]],
    ["alter table plans add constraint c check (page_limit > 0);", ["checks all rows"]],
    ["alter table plans add constraint c check (page_limit > 0) not valid;", []],
    ["alter table plans validate constraint c;", []],
    ["create index plans_name on plans (name);", ["builds an index"]],
    ["create unique index if not exists plans_name on plans (name);", []],
    ["create table offers (name text);\ncreate index offers_name on offers (name);", []],
    ["create function f() returns text language sql as $$\n  select 'drop it';\n$$;", []],
  ];
  for (const [text, expected] of cases) {
    assert.deepEqual(migrationFaults(text).map((fault) => fault.split(":")[0]), expected, text);
  }
});

/** Returns the functions of the service with their parameters and results. */
async function listFunctions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ signature: string }[]>`
    select format('%s returns %s', oid::regprocedure, pg_get_function_result(oid)) as signature
    from pg_proc where pronamespace = 'public'::regnamespace order by 1
  `;
  return rows.map(({ signature }) => signature);
}
