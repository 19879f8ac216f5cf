/**
 * Opens the database of the service: a server, PGlite in this process, or that of another process.
 */
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { type DatabaseAddress, placeOf, readAddress } from "./address.ts";
import { isHalfRestored } from "./backup.ts";
import {
  type DataLock,
  findLockHolder,
  hasLock,
  makePrivate,
  takeDataLock,
} from "./data_directory.ts";
import { type Embedded, isCreated, openEmbedded } from "./embedded.ts";
import { isSessionLoss, SessionLost } from "./failure.ts";
import { openPool, type Pool, type PoolOptions, type SessionConfig } from "./pool.ts";
import type { Sql } from "./sql.ts";
import { startMaintenance } from "./maintenance.ts";

export type { Sql } from "./sql.ts";

/** An open database. */
export interface Database {
  sql: Sql;
  /** A PostgreSQL server, PGlite in this process, or the PGlite of another process. */
  kind: "server" | "embedded" | "borrowed";
  /** Waits up to 5 seconds for running statements, then ends every connection. */
  close(): Promise<void>;
}

/** Options of `connect`. */
export interface DatabaseOptions {
  /** Address of a server; absent for the embedded database of `data_dir`. */
  database_url?: string;
  /**
   * Name of the setting or option with `database_url`, for error messages; DATABASE_URL by default.
   */
  url_setting?: string;
  /** Directory of the embedded database. */
  data_dir: string;
  /** Max number of connections; 10 by default. */
  max_connections?: number;
  log: Log;
  /** Max seconds per statement of a server, 10 by default. PGlite cannot interrupt a statement. */
  statement_timeout_seconds?: number;
  application_name?: string;
  /** True if the database of another process may be used, through its private socket. */
  borrow?: boolean;
  /** Metrics that receive the duration of each statement. */
  metrics?: Pick<Metrics, "statementEnded">;
  /** True if `connect` throws for a directory without a database, instead of creating one. */
  must_exist?: boolean;
  /** Called under the directory's lock, before a database is created in the directory. */
  onCreate?: () => Promise<void>;
}

/** Oldest version of PostgreSQL with which the tests run. */
const SERVER_VERSION_MIN = 150000;
/** Default of `max_connections`. docs/growth.md says what more cost. */
const CONNECTIONS_MAX = 10;
/**
 * Max seconds of a statement of a server, unless the options differ. The number is chosen: a
 * request takes milliseconds. OPERATION_LEASE_SECONDS adds it up.
 */
export const STATEMENT_TIMEOUT_SECONDS = 10;

/**
 * Max seconds of a wait for a lock. The time-out is shorter than that of statements, so that
 * statements that wait for one row do not occupy all connections for long.
 */
const LOCK_TIMEOUT_SECONDS = 3;
/** Seconds after which the server ends an idle transaction, which holds locks (chosen). */
const IDLE_IN_TRANSACTION_SECONDS = 30;
/**
 * Max seconds for which a statement waits for a connection, or for a new one to open. It is well
 * below the 5 s within which the service has to work again after a restart of the server.
 */
export const WAIT_SECONDS = 3;
/**
 * Seconds after the statement's time-out until the pool gives up. In this time, the server's own
 * error can arrive.
 */
export const DEADLINE_GRACE_SECONDS = 2;
/**
 * Max seconds of a statement in a transaction. Only migrations and tools use transactions. The
 * number is chosen, not measured.
 */
const TRANSACTION_STATEMENT_SECONDS = 900;
/** Max seconds of the wait for the socket of a process that has just locked the directory (chosen). */
const BORROW_SECONDS = 10;

/**
 * Opens the database of the options.
 * @throws Error that names the reason, if the database cannot be reached, is older than PostgreSQL
 * 15, or belongs to another process
 */
export async function connect(options: DatabaseOptions): Promise<Database> {
  if (options.database_url !== undefined) return await connectServer(options, options.database_url);
  await prepareDirectory(options);
  const lock = await takeLockOrBorrow(options);
  if ("sql" in lock) return lock;
  try {
    if (!await isCreated(options.data_dir)) {
      if (await isHalfRestored(options.data_dir)) {
        throw new Error(
          `A restore into ${options.data_dir} was interrupted. Remove the directory, and restore ` +
            "again.",
        );
      }
      if (options.must_exist) throw noDatabase(options.data_dir);
      await options.onCreate?.();
    }
    await makePrivate(options.data_dir, options.log);
    const stored = { data_dir: options.data_dir, lock };
    return await connectEmbedded(await openEmbedded({ stored, log: options.log }), options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Creates the directory if a database may be created in it. Otherwise requires a database. */
async function prepareDirectory({ data_dir, must_exist }: DatabaseOptions): Promise<void> {
  if (!must_exist) await Deno.mkdir(data_dir, { recursive: true, mode: 0o700 });
  // A lock file without a database means that a service is just creating the database.
  else if (!await isCreated(data_dir) && !await hasLock(data_dir)) throw noDatabase(data_dir);
}

function noDatabase(data_dir: string): Error {
  return new Error(
    `There is no database in ${data_dir}. Is DATA_DIR correct? A service creates one at its ` +
      `start; ingest and admin create one with --create.`,
  );
}

async function connectServer(options: DatabaseOptions, url: string): Promise<Database> {
  const address = readAddress(url);
  const pool = await openServerPool(options, address);
  const [row] = await pool.sql<
    [{ version: number }]
  >`select current_setting('server_version_num')::integer as version`;
  if (row.version < SERVER_VERSION_MIN) {
    await pool.close();
    throw new Error(`PostgreSQL 15 or later is required; the server is ${row.version}.`);
  }
  return { ...pool, kind: "server" };
}

/** Opens the pool of a server, and checks that its connections are sessions. */
async function openServerPool(options: DatabaseOptions, address: DatabaseAddress): Promise<Pool> {
  const settings = poolOptions(options, address);
  const opened: Pool[] = [];
  try {
    opened.push(await openPool(settings));
    opened.push(await openPool({ ...settings, connections: 1 }));
    const [pool, second] = opened as [Pool, Pool];
    await checkSession([pool.sql, second.sql], settings.session);
    await second.close();
    return pool;
  } catch (cause) {
    await Promise.all(opened.map((pool) => pool.close()));
    if (cause instanceof SessionLost) throw cause;
    if (isSessionLoss(cause)) throw new SessionLost(cause);
    const { url_setting = "DATABASE_URL" } = options;
    throw new Error(
      `Cannot connect to the database at ${placeOf(address)}. Is ${url_setting} correct?`,
      { cause },
    );
  }
}

/** Connects the driver to an embedded database. Closing the result also closes that database. */
export async function connectEmbedded(
  embedded: Embedded,
  options: Omit<DatabaseOptions, "data_dir">,
): Promise<Database> {
  const pool = await openPool({
    ...poolOptions(options, SUPERUSER),
    openStream: () => embedded.connection(),
  });
  const maintenance = startMaintenance({ sql: pool.sql, log: options.log });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await maintenance.stop();
    await pool.close();
    await embedded.close();
  };
  return { sql: pool.sql, kind: "embedded", close: () => closing ??= close() };
}

/**
 * Takes the lock of the directory, or connects to the database of the process that holds the lock.
 * Retries for BORROW_SECONDS, because a starting process has no socket yet, and a closing process
 * soon releases the lock.
 */
async function takeLockOrBorrow(options: DatabaseOptions): Promise<DataLock | Database> {
  const { data_dir, borrow } = options;
  const end = performance.now() + BORROW_SECONDS * 1000;
  while (true) {
    const lock = await takeDataLock(data_dir);
    if (lock !== undefined) return lock;
    const inUse = `The data directory ${data_dir} is in use by process ${await findLockHolder(
      data_dir,
    )}`;
    if (!borrow) throw new Error(`${inUse}.`);
    try {
      // The driver connects to the socket .s.PGSQL.5432 of a directory.
      const host = await Deno.realPath(data_dir);
      return { ...await openPool(poolOptions(options, { ...SUPERUSER, host })), kind: "borrowed" };
    } catch (error) {
      if (performance.now() > end) {
        throw new Error(`${inUse}, and its private socket does not answer.`, { cause: error });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Session of the embedded database, which has one user and checks no password. */
export const SUPERUSER = {
  host: "localhost",
  port: 5432,
  user: "postgres",
  database: "postgres",
  password: "none",
};

function poolOptions(
  options: Omit<DatabaseOptions, "data_dir">,
  address: PoolOptions["session"],
): PoolOptions {
  const statement_seconds = options.statement_timeout_seconds ?? STATEMENT_TIMEOUT_SECONDS;
  return {
    connections: options.max_connections ?? CONNECTIONS_MAX,
    wait_seconds: WAIT_SECONDS,
    deadline_seconds: statement_seconds + DEADLINE_GRACE_SECONDS,
    transaction_deadline_seconds: TRANSACTION_STATEMENT_SECONDS,
    metrics: options.metrics,
    session: {
      ...address,
      application_name: options.application_name ?? "company-evidence",
      statement_timeout: statement_seconds * 1000,
      lock_timeout: LOCK_TIMEOUT_SECONDS * 1000,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_SECONDS * 1000,
      // Compiling a short statement takes longer than running it. One plan suits all parameters,
      // because statements with parameters find rows by an index.
      options: "-c TimeZone=UTC -c jit=off -c plan_cache_mode=force_generic_plan",
    },
  };
}

/** Settings of a session whose loss would let statements run or wait without a limit. */
const KEPT = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"] as const;

/** Times that two connections are compared, because other clients of a pooler disturb it too. */
const ROUNDS = 3;

/**
 * Checks that each connection has a session of the server to itself, with the settings that it
 * asked for. Prepared statements and time-outs need both.
 * @param first a pool with one open connection
 * @param second another pool with one open connection
 * @throws Error that names the fix
 */
export async function checkSession(
  [first, second]: [Sql, Sql],
  session: Pick<SessionConfig, typeof KEPT[number]>,
): Promise<void> {
  const rows = await first<{ name: typeof KEPT[number]; milliseconds: number }[]>`
    select name, setting::bigint as milliseconds from pg_settings where name = any(${[...KEPT]})
  `;
  if (rows.some(({ name, milliseconds }) => session[name] !== milliseconds)) {
    throw new SessionLost();
  }
  const own = await processOf(first);
  for (let round = 0; round < ROUNDS; round++) {
    // A pooler in transaction mode gives the process of one client to the next one.
    if (await processOf(second) === own || await processOf(first) !== own) throw new SessionLost();
  }
}

/** Returns the number of the server's process that answers. */
async function processOf(sql: Sql): Promise<number> {
  // A text without parameters is not prepared, so this fails in no pooler.
  const [row] = await sql.unsafe<[{ pid: number }]>("select pg_backend_pid() as pid");
  return row.pid;
}
