/** Registers tests that each have a new, migrated database, on PGlite or a PostgreSQL server. */
import { connect, connectEmbedded, type Database, type Sql } from "../../src/db/connect.ts";
import { type Embedded, openEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { readSchema } from "../../src/db/scripts.ts";
import { createLog } from "../../src/log.ts";

/** Context of a test: its database. */
export interface DatabaseCase {
  db: Database;
  sql: Sql;
  /** Address of a database on a server, for a second pool or another process. */
  url?: string;
}

/** Address of a server where tests may create databases, for a superuser. */
const SERVER_URL = Deno.env.get("TEST_DATABASE_URL");

/**
 * Directory in which test processes share the snapshot of the embedded database. Each test starts
 * from that snapshot.
 */
const SHARED_DIRECTORY = Deno.env.get("TEST_SHARED_DIR");

/**
 * Minutes until a test times out, far longer than any test takes on a slow machine. A run of all
 * tests has 75 minutes.
 */
const LIMIT_MINUTES = 10;

const log = createLog("error");

/**
 * Registers the test twice, as `name [pglite]` and `name [postgres]`. Without a server, the second
 * is ignored.
 */
export function databaseTest(name: string, body: (t: DatabaseCase) => Promise<void>): void {
  embeddedTest(name, body);
  serverTest(name, body);
}

/**
 * Registers a test of code that does not depend on the engine, such as a door or a function of the
 * dataset. It runs on the server, because a database of the server starts faster, and on PGlite if
 * there is no server.
 */
export function oneEngineTest(
  name: string,
  body: (t: DatabaseCase) => Promise<void>,
  options: CaseOptions = {},
): void {
  if (SERVER_URL === undefined) embeddedTest(name, body, options);
  else serverTest(name, body, options);
}

/** Options of a test. */
interface CaseOptions {
  sanitizeOps?: boolean;
  sanitizeResources?: boolean;
  /** True ignores the test. */
  ignore?: boolean;
}

/** Registers a test for the embedded database only. */
export function embeddedTest(
  name: string,
  body: (t: DatabaseCase) => Promise<void>,
  { sanitizeOps = true, sanitizeResources = true, ignore = false }: CaseOptions = {},
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

/** Opens a migrated embedded database in memory. The caller closes it. */
export async function openTestEmbedded(): Promise<Embedded> {
  return await openEmbedded({ snapshot: await readSnapshot(), log });
}

/**
 * Registers a test for a server only. Its context always has a `url`.
 * @param options.ignore ignores the test even if there is a server
 */
export function serverTest(
  name: string,
  body: (t: DatabaseCase & { url: string }) => Promise<void>,
  { sanitizeOps = true, sanitizeResources = true, ignore = false }: CaseOptions = {},
): void {
  Deno.test({
    name: `${name} [postgres]`,
    ignore: ignore || SERVER_URL === undefined,
    sanitizeOps,
    sanitizeResources,
    async fn() {
      const template = await prepareTemplate();
      await using database = await createDatabase(template);
      const { url } = database;
      await using opened = disposable(await connect({ database_url: url, data_dir: "", log }));
      await withinLimit(body({ db: opened.db, sql: opened.db.sql, url }));
    },
  });
}

/** Fails a test that does not end in time, so that the run continues and names the test. */
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

/**
 * Creates a database on the server, by default an empty one. It is dropped at the end of the block.
 */
export async function createDatabase(
  template = "template0",
): Promise<{ url: string } & AsyncDisposable> {
  const name = `ce_${crypto.randomUUID().replaceAll("-", "")}`;
  // A connection costs 10 ms of processor time, so one creates the database and drops it.
  await using stack = new AsyncDisposableStack();
  const { sql } = stack.adopt(await connectServer(), (server) => server.close());
  await sql.unsafe(`create database ${name} template ${template} strategy file_copy`);
  stack.defer(async () => void await sql.unsafe(`drop database ${name} with (force)`));
  const url = new URL(SERVER_URL!);
  url.pathname = `/${name}`;
  const kept = stack.move();
  return { url: url.href, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function disposable(db: Database): { db: Database } & AsyncDisposable {
  return { db, [Symbol.asyncDispose]: () => db.close() };
}

async function connectServer(): Promise<Database> {
  return await connect({
    database_url: SERVER_URL!,
    data_dir: "",
    log,
    max_connections: 1,
    statement_timeout_seconds: 300,
  });
}

/** Returns the name of the migrated template database. The first caller creates it. */
async function prepareTemplate(): Promise<string> {
  template ??= makeTemplate(`ce_template_${await schemaHash()}`);
  return await template;
}

let template: Promise<string> | undefined;

async function makeTemplate(name: string): Promise<string> {
  await using server = disposable(await connectServer());
  const { sql } = server.db;
  // The lock is held until the session ends. Others wait for the finished template, which may take
  // longer than statements of the service wait for a lock.
  await sql`set lock_timeout = 0`;
  await sql`select pg_advisory_lock(hashtext(${name}))`;
  const [existing] = await sql`select datistemplate from pg_database where datname = ${name}`;
  if (existing?.datistemplate) return name;
  if (existing) await sql.unsafe(`drop database ${name} with (force)`);
  await sql.unsafe(`create database ${name} template template0`);
  const url = new URL(SERVER_URL!);
  url.pathname = `/${name}`;
  const db = await connect({ database_url: url.href, data_dir: "", log });
  await migrate(db).finally(() => db.close());
  await sql.unsafe(`alter database ${name} is_template true`);
  return name;
}

/** Returns a migrated embedded database as an archive. */
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
    // The file is renamed when it is complete, so that no process reads a part of it.
    const unfinished = `${path}.${crypto.randomUUID()}`;
    await Deno.writeFile(unfinished, new Uint8Array(await archive.arrayBuffer()));
    await Deno.rename(unfinished, path);
  }
  return archive;
}

async function schemaHash(): Promise<string> {
  const text = JSON.stringify(readSchema());
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 16);
}
