/** Brings the schema and the functions of a database to the state of `sql/`. */
import { hash } from "node:crypto";
import { pgmq } from "@electric-sql/pglite-pgmq";
import { VERSION } from "../contract/version.ts";
import { connect, type Database, type DatabaseOptions } from "./connect.ts";
import { codeOf } from "./failure.ts";
import { QUEUES } from "./queue.ts";
import { readSchema, type Schema, type Script } from "./scripts.ts";
import type { Sql } from "./sql.ts";
import { bytesOf, readTar } from "./tar.ts";

/** One step of a migration, which the table `migrations` records. */
interface Step {
  name: string;
  checksum: string;
  /** True if the step runs again after a change. Otherwise, a change is an error. */
  repeatable: boolean;
  apply(tx: Sql): Promise<unknown>;
}

/** Key of the advisory lock under which one process migrates. No other program may use it. */
const ADVISORY_LOCK = 6_520_251_107;

/**
 * Max milliseconds of a wait for a lock. The time-out is short, because a migration that waits for
 * a query delays all later queries. It is also shorter than `deadlock_timeout` (1 s), after which
 * PostgreSQL resolves a deadlock. If a request locks tables in another order than the migration,
 * the migration therefore fails and retries, and the request continues.
 */
const LOCK_TIMEOUT_MILLISECONDS = 500;
/**
 * Max seconds of a statement of a migration. The number is chosen: an index of millions of rows
 * takes minutes.
 */
const STATEMENT_TIMEOUT_SECONDS = 600;
/**
 * Seconds during which a failed wait for a lock is retried. The number is chosen: a start should
 * fail before an operator gives up.
 */
const RETRY_SECONDS = 120;
/** Max seconds between two retries. The number is chosen. */
const PAUSE_SECONDS_MAX = 3;

/**
 * Name of a row in the table `migrations`. Its checksum is the newest version of the program that
 * has migrated the database.
 */
const PROGRAM = "program";

const LOCK_NOT_AVAILABLE = "55P03";
const UNDEFINED_TABLE = "42P01";

/**
 * Runs the missing and changed steps in one transaction. Many processes may call it at once. If no
 * step is due, it only makes one query. Returns the names of the executed steps.
 *
 * @throws Error if the database has unknown or different migrations, or if steps are due although a
 * newer version of the program has migrated it. An older version must not replace its functions
 */
export async function migrate(
  db: Pick<Database, "sql">,
  schema = readSchema(),
): Promise<{ applied: string[] }> {
  const steps = stepsOf(schema);
  if (dueSteps(steps, await readApplied(db.sql)).length === 0) return { applied: [] };
  const end = performance.now() + RETRY_SECONDS * 1000;
  for (let pause = 0.1;; pause = Math.min(2 * pause, PAUSE_SECONDS_MAX)) {
    try {
      return { applied: await db.sql.begin((tx) => applyDue(tx, steps)) };
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * 1000 * (0.5 + Math.random() / 2)));
  }
}

/**
 * Returns whether all steps of this program have been applied. Different functions and additional
 * migrations are allowed, because a replica continues to serve while its successor starts.
 */
export async function migrationsCurrent(sql: Sql, schema = readSchema()): Promise<boolean> {
  const applied = await readApplied(sql);
  return stepsOf(schema).every(({ name, checksum, repeatable }) =>
    repeatable ? applied.has(name) : applied.get(name) === checksum
  );
}

/** Returns whether the database refuses changes, for instance because its server is a standby. */
export async function isReadOnly(sql: Sql): Promise<boolean> {
  const [{ read_only }] = await sql<[{ read_only: boolean }]>`
    select current_setting('transaction_read_only')::boolean as read_only
  `;
  return read_only;
}

/** Reads the checksums by name. Returns an empty map if the table does not exist yet. */
async function readApplied(sql: Sql): Promise<Map<string, string>> {
  try {
    const rows = await sql<{ name: string; checksum: string }[]>`
      select name, checksum from migrations
    `;
    return new Map(rows.map(({ name, checksum }) => [name, checksum]));
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return new Map();
    throw error;
  }
}

/**
 * Returns the missing and changed steps.
 * @throws Error in the cases that `migrate` documents
 */
function dueSteps(steps: readonly Step[], applied: ReadonlyMap<string, string>): Step[] {
  const known = new Set(steps.map((step) => step.name));
  for (const name of applied.keys()) {
    if (/^\d/.test(name) && !known.has(name)) {
      throw new Error(`The database is newer than this program: it has the migration ${name}.`);
    }
  }
  const due = steps.filter(({ name, checksum, repeatable }) => {
    const recorded = applied.get(name);
    if (recorded === undefined) return true;
    if (recorded !== checksum && !repeatable) {
      throw new Error(`The migration ${name} was changed after it had been applied.`);
    }
    return recorded !== checksum;
  });
  const newest = applied.get(PROGRAM) ?? "";
  if (due.some(({ name, checksum }) => name === PROGRAM && isOlder(checksum, newest))) {
    if (due.length === 1) return [];
    throw new Error(`The database is newer than this program: version ${newest} has migrated it.`);
  }
  return due;
}

/** Returns whether a version such as 0.9.0 is older than one such as 0.10.0. */
function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}

async function applyDue(tx: Sql, steps: readonly Step[]): Promise<string[]> {
  await tx.unsafe(`
    set local lock_timeout = ${LOCK_TIMEOUT_MILLISECONDS};
    set local statement_timeout = '${STATEMENT_TIMEOUT_SECONDS}s';
    -- A function may call another one that is created later.
    set local check_function_bodies = off;
  `);
  await tx`select pg_advisory_xact_lock(${ADVISORY_LOCK}::bigint)`;
  await tx`
    create table if not exists migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )
  `;
  const due = dueSteps(steps, await readApplied(tx));
  for (const step of due) await step.apply(tx);
  if (due.length > 0) {
    await tx`
      insert into migrations (name, checksum)
      select * from unnest(
        ${due.map(({ name }) => name)}::text[], ${due.map(({ checksum }) => checksum)}::text[]
      )
      on conflict (name) do update set checksum = excluded.checksum, applied_at = now()
    `;
  }
  return due.map((step) => step.name);
}

/** Returns all steps. pgmq comes first, because the functions use it. */
function stepsOf({ tables, views, functions, version = VERSION }: Schema): Step[] {
  return [
    { name: "pgmq", checksum: PGMQ_VERSION, repeatable: true, apply: installPgmq },
    ...tables.map((script) => scriptStep(script, false)),
    ...[...views, ...functions].map((script) => scriptStep(script, true)),
    ...QUEUES.map((queue) => ({
      name: `queue/${queue}`,
      checksum: "",
      repeatable: true,
      apply: (tx: Sql) => tx`select pgmq.create(${queue})`,
    })),
    { name: PROGRAM, checksum: version, repeatable: true, apply: () => Promise.resolve() },
  ];
}

function scriptStep({ name, text }: Script, repeatable: boolean): Step {
  return { name, checksum: hash("sha256", text), repeatable, apply: (tx) => tx.unsafe(text) };
}

/** Version of pgmq in the npm package. */
const PGMQ_VERSION = "1.11.1";

/**
 * Installs pgmq unless the database has it. Runs the extension's SQL script, because few servers
 * offer the extension, and few roles may create it.
 */
async function installPgmq(tx: Sql): Promise<void> {
  const [{ installed }] = await tx<[{ installed: boolean }]>`
    select to_regclass('pgmq.meta') is not null as installed
  `;
  if (!installed) await tx.unsafe(await readPgmqScript());
}

/** Reads the script of the package, without its grants to a role that hosted servers may lack. */
async function readPgmqScript(): Promise<string> {
  // The package returns the path of its archive, also in a compiled binary.
  const { bundlePath } = await pgmq.setup(undefined as never, {});
  if (bundlePath === undefined) throw new Error("The pgmq package names no archive.");
  for await (const entry of readTar([await Deno.readFile(bundlePath)])) {
    const script = await bytesOf(entry);
    if (!entry.header.name.endsWith(`/pgmq--${PGMQ_VERSION}.sql`)) continue;
    return `${script}`.replace(/^(GRANT|ALTER DEFAULT PRIVILEGES) .* TO pg_monitor;$/gm, "");
  }
  throw new Error(`The pgmq package does not contain ${PGMQ_VERSION}.`);
}

/**
 * Connects to the database and migrates it. If this process has opened an embedded database, no
 * other process works on its operations, so all leases are ended.
 * @throws any error of `connect` or `migrate`
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const db = await connect(options);
  try {
    await migrate(db);
    if (db.kind === "embedded") await db.sql`select end_leases()`;
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}
