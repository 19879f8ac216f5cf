/** Real databases for tests: each case has its own, fresh and migrated, on both engines. */
import postgres from "postgres";
import { connect, connectEmbedded, type Database, type Sql } from "../../src/db/connect.ts";
import { type Embedded, openEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { FUNCTION_SCRIPTS, TABLE_SCRIPTS, VIEW_SCRIPTS } from "../../src/db/scripts.ts";
import { createLog } from "../../src/log.ts";

export interface DatabaseCase {
  db: Database;
  sql: Sql;
  /** Its address, on a server: for a second pool, or another process. */
  url?: string;
}

/** The address of a superuser's database on a server, where tests may create databases. */
const SERVER_URL = Deno.env.get("TEST_DATABASE_URL");

/**
 * Directory in which processes that run tests share the embedded database that each case starts
 * from.
 */
const SHARED_DIRECTORY = Deno.env.get("TEST_SHARED_DIR");

/**
 * Minutes until a case times out, far more than any case takes on a slow machine. A run has 75
 * minutes for all.
 */
const LIMIT_MINUTES = 10;

const log = createLog("error");

/**
 * Registers the case twice, as `name [pglite]` and `name [postgres]`; without a server the second
 * is registered as ignored.
 */
export function databaseTest(
  name: string,
  body: (t: DatabaseCase) => Promise<void>,
): void {
  embeddedTest(name, body);
  serverTest(name, body);
}

/** A case for the embedded engine alone. */
export function embeddedTest(
  name: string,
  body: (t: DatabaseCase) => Promise<void>,
  { sanitizeOps = true, sanitizeResources = true, ignore = false }: {
    sanitizeOps?: boolean;
    sanitizeResources?: boolean;
    ignore?: boolean;
  } = {},
): void {
  Deno.test({
    name: `${name} [pglite]`,
    ignore,
    sanitizeOps,
    sanitizeResources,
    async fn() {
      const embedded = await openTestEmbedded();
      await using opened = disposable(await connectEmbedded(embedded, { log }));
      await withinLimit(body({ db: opened.db, sql: opened.db.sql }));
    },
  });
}

/** A migrated embedded database in memory; whoever opens it closes it. */
export async function openTestEmbedded(): Promise<Embedded> {
  return await openEmbedded({ snapshot: await readSnapshot(), log });
}

/** Registers a case for a server alone. It always has a `url`, and may be ignored for a further reason. */
export function serverTest(
  name: string,
  body: (t: DatabaseCase & { url: string }) => Promise<void>,
  { ignore = false } = {},
): void {
  Deno.test({
    name: `${name} [postgres]`,
    ignore: ignore || SERVER_URL === undefined,
    sanitizeOps: true,
    sanitizeResources: true,
    async fn() {
      const template = await prepareTemplate();
      await using database = await createDatabase(template);
      const { url } = database;
      await using opened = disposable(await connect({ database_url: url, data_dir: "", log }));
      await withinLimit(body({ db: opened.db, sql: opened.db.sql, url }));
    },
  });
}

/** Fails a case that no longer comes to an end, so that the run goes on and names it. */
async function withinLimit(running: Promise<void>): Promise<void> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => limit.reject(new Error(`still running after ${LIMIT_MINUTES} minutes`)),
    LIMIT_MINUTES * 60_000,
  );
  try {
    await Promise.race([running, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** True if there is a server to create databases on. */
export const HAS_SERVER = SERVER_URL !== undefined;

/** Creates a migrated database on the server. It is dropped at the end of the block. */
export async function createMigratedDatabase(): Promise<{ url: string } & AsyncDisposable> {
  return await createDatabase(await prepareTemplate());
}

/** A database on the server, dropped at the end of the block. `template0` is empty. */
export async function createDatabase(
  template = "template0",
): Promise<{ url: string } & AsyncDisposable> {
  const name = `ce_${crypto.randomUUID().replaceAll("-", "")}`;
  await onServer((sql) => sql.unsafe(`create database ${name} template ${template}`));
  const url = new URL(SERVER_URL!);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () =>
      onServer((sql) => sql.unsafe(`drop database ${name} with (force)`)),
  };
}

function disposable(db: Database): { db: Database } & AsyncDisposable {
  return { db, [Symbol.asyncDispose]: () => db.close() };
}

async function onServer(run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(SERVER_URL!, { max: 1, onnotice: () => {} });
  try {
    await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The name of a migrated database that cases are copied from, made by whoever comes first. */
async function prepareTemplate(): Promise<string> {
  template ??= makeTemplate(`ce_template_${await schemaHash()}`);
  return await template;
}

let template: Promise<string> | undefined;

async function makeTemplate(name: string): Promise<string> {
  await onServer(async (sql) => {
    // Held until the session ends: rivals in other processes wait for the finished template.
    await sql`select pg_advisory_lock(hashtext(${name}))`;
    const [found] = await sql`select datistemplate from pg_database where datname = ${name}`;
    if (found?.datistemplate) return;
    if (found) await sql.unsafe(`drop database ${name} with (force)`);
    await sql.unsafe(`create database ${name} template template0`);
    const url = new URL(SERVER_URL!);
    url.pathname = `/${name}`;
    const db = await connect({ database_url: url.href, data_dir: "", log });
    await migrate(db).finally(() => db.close());
    await sql.unsafe(`alter database ${name} is_template true`);
  });
  return name;
}

/** A migrated embedded database as an archive. */
async function readSnapshot(): Promise<Blob> {
  snapshot ??= makeSnapshot();
  return await snapshot;
}

let snapshot: Promise<Blob> | undefined;

async function makeSnapshot(): Promise<Blob> {
  const path = SHARED_DIRECTORY && `${SHARED_DIRECTORY}/${await schemaHash()}.tar`;
  if (path) {
    try {
      return new Blob([await Deno.readFile(path)]);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  const embedded = await openEmbedded({ log });
  const db = await connectEmbedded(embedded, { log });
  await migrate(db);
  const archive = await embedded.dump();
  await db.close();
  if (path) {
    // Renamed into place: nobody reads half of it.
    const unfinished = `${path}.${crypto.randomUUID()}`;
    await Deno.writeFile(unfinished, new Uint8Array(await archive.arrayBuffer()));
    await Deno.rename(unfinished, path);
  }
  return archive;
}

async function schemaHash(): Promise<string> {
  const text = JSON.stringify([TABLE_SCRIPTS, VIEW_SCRIPTS, FUNCTION_SCRIPTS]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 16);
}
