import type { TransactionSql } from "postgres";
import { VERSION } from "../contract/version.ts";
import { ADOPTED, isAdopted, REPLACEMENTS } from "./adopted.ts";
import type { Database } from "./connect.ts";
import { hasSqlState } from "./failure.ts";
import { installPgmq, PGMQ_VERSION } from "./pgmq.ts";
import { QUEUES } from "./queue.ts";
import { FUNCTION_SCRIPTS, type Script, TABLE_SCRIPTS, VIEW_SCRIPTS } from "./scripts.ts";
import type { Sql } from "./sql.ts";

/** Scripts that a database must hold, in the order in which they run. */
export interface Schema {
  tables: readonly Script[];
  views: readonly Script[];
  functions: readonly Script[];
  /** Version of the program with these scripts; by default this program's. */
  version?: string;
}

/** One entry of the table `migrations`. */
interface Step {
  name: string;
  checksum: string;
  /** True if a changed step is run again. Otherwise, a change is an error. */
  repeatable: boolean;
  apply(tx: TransactionSql): Promise<unknown>;
}

const SCHEMA: Schema = {
  tables: TABLE_SCRIPTS,
  views: VIEW_SCRIPTS,
  functions: FUNCTION_SCRIPTS,
};

/** Key of the advisory lock. No other program on the database may use it. */
const ADVISORY_LOCK = 6_520_251_107;

/**
 * Milliseconds until waiting for a lock ends. They are few, so that a migration that waits for a
 * query does not delay the queries behind it for long. They are fewer than those after which
 * PostgreSQL looks for a deadlock (`deadlock_timeout`, 1 s). A request that locks tables in another
 * order than the migration then continues instead of being cancelled.
 */
const LOCK_TIMEOUT_MILLISECONDS = 500;
const STATEMENT_TIMEOUT_SECONDS = 600;
const GIVE_UP_SECONDS = 120;
const LONGEST_PAUSE_SECONDS = 3;

/** Row of the table `migrations` with the newest version that has migrated the database. */
const PROGRAM = "program";

const LOCK_NOT_AVAILABLE = "55P03";
const UNDEFINED_TABLE = "42P01";

/**
 * Runs the steps that the database lacks, in one transaction. Many processes may call it at once.
 * It is a single query if there is nothing to do. Returns the names of the steps that it has run.
 *
 * @throws Error if the database has migrations that this program does not know or that differ, or
 * if a newer version has migrated it, whose functions an older one must not replace
 */
export async function migrate(
  db: Pick<Database, "sql">,
  schema = SCHEMA,
): Promise<{ applied: string[] }> {
  const steps = await stepsOf(schema);
  if (dueSteps(steps, await readApplied(db.sql)).length === 0) return { applied: [] };
  const end = performance.now() + GIVE_UP_SECONDS * 1000;
  for (let pause = 0.1;; pause = Math.min(2 * pause, LONGEST_PAUSE_SECONDS)) {
    try {
      return { applied: await db.sql.begin((tx) => applyDue(tx, steps)) };
    } catch (error) {
      if (!hasSqlState(error, LOCK_NOT_AVAILABLE) || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * 1000 * (0.5 + Math.random() / 2)));
  }
}

/**
 * Returns whether all steps of this program have been applied. Newer functions and unknown
 * migrations do not count, because a replica continues to serve while its successor starts.
 */
export async function migrationsCurrent(sql: Sql, schema = SCHEMA): Promise<boolean> {
  const applied = await readApplied(sql);
  return (await stepsOf(schema)).every(({ name, checksum, repeatable }) =>
    repeatable ? applied.has(name) : applied.get(name) === checksum
  );
}

/** Reads the checksums by name. Returns an empty map if the table does not exist yet. */
async function readApplied(sql: Sql | TransactionSql): Promise<Map<string, string>> {
  try {
    const rows = await sql<{ name: string; checksum: string }[]>`
      select name, checksum from migrations
    `;
    return new Map(rows.map(({ name, checksum }) => [name, checksum]));
  } catch (error) {
    if (hasSqlState(error, UNDEFINED_TABLE)) return new Map();
    throw error;
  }
}

/**
 * Returns the steps that are to be run.
 * @throws Error if the database and this program do not belong together
 */
function dueSteps(steps: readonly Step[], applied: ReadonlyMap<string, string>): Step[] {
  const adopted = isAdopted(applied);
  const known = new Set(steps.map((step) => step.name));
  for (const name of applied.keys()) {
    if (/^\d/.test(name) && !known.has(name) && !(adopted && ADOPTED.has(name))) {
      throw new Error(`The database is newer than this program: it has the migration ${name}.`);
    }
  }
  const missing = steps.filter(({ name, checksum, repeatable }) => {
    const found = applied.get(name);
    if (found === undefined) return true;
    if (found !== checksum && !repeatable) {
      throw new Error(`The migration ${name} was changed after it had been applied.`);
    }
    return found !== checksum;
  });
  const newest = applied.get(PROGRAM) ?? "";
  if (missing.some(({ name, checksum }) => name === PROGRAM && isOlder(checksum, newest))) {
    if (missing.length === 1) return [];
    throw new Error(`The database is newer than this program: version ${newest} has migrated it.`);
  }
  if (!adopted) return missing;
  // The tables of these scripts exist already. The scripts are only recorded as applied.
  return missing.map((step) => REPLACEMENTS.has(step.name) ? { ...step, apply: noChange } : step);
}

async function noChange(): Promise<void> {}

/** Compares versions such as 0.9.0 and 0.10.0. */
function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}

async function applyDue(tx: TransactionSql, steps: readonly Step[]): Promise<string[]> {
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
    const rows = due.map(({ name, checksum }) => ({ name, checksum }));
    await tx`
      insert into migrations ${tx(rows, "name", "checksum")}
      on conflict (name) do update set checksum = excluded.checksum, applied_at = now()
    `;
  }
  return due.map((step) => step.name);
}

/** Returns all steps. pgmq comes first, because the functions use it. */
async function stepsOf(
  { tables, views, functions, version = VERSION }: Schema,
): Promise<Step[]> {
  return [
    { name: "pgmq", checksum: PGMQ_VERSION, repeatable: true, apply: installPgmq },
    ...await Promise.all(tables.map((script) => scriptStep(script, false))),
    ...await Promise.all(views.map((script) => scriptStep(script, true))),
    ...await Promise.all(functions.map((script) => scriptStep(script, true))),
    ...QUEUES.map((queue) => ({
      name: `queue/${queue}`,
      checksum: "",
      repeatable: true,
      apply: (tx: TransactionSql) => tx`select pgmq.create(${queue})`,
    })),
    { name: PROGRAM, checksum: version, repeatable: true, apply: noChange },
  ];
}

async function scriptStep({ name, text }: Script, repeatable: boolean): Promise<Step> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const checksum = new Uint8Array(digest).toHex();
  return { name, checksum, repeatable, apply: (tx) => tx.unsafe(text) };
}
