import { hostAddress } from "../contract/host_address.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { isHalfRestored } from "./backup.ts";
import { makePrivate } from "./data_directory.ts";
import { type DataLock, findLockHolder, hasLock, takeDataLock } from "./data_lock.ts";
import type { Target } from "./driver.ts";
import { type Embedded, isCreated, openEmbedded } from "./embedded.ts";
import { openPool, type PoolOptions } from "./pool.ts";
import { privateSocketPath } from "./private_socket.ts";
import { openPathSocket, openServerSocket, readAddress } from "./server_socket.ts";
import type { Sql } from "./sql.ts";
import { startMaintenance } from "./maintenance.ts";

export type { Sql } from "./sql.ts";

/** An open database. */
export interface Database {
  sql: Sql;
  /** A server's, PGlite opened by this process, or the PGlite that another process holds. */
  kind: "server" | "embedded" | "borrowed";
  /** Waits up to 5 seconds for statements under way, then ends every connection. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Address of a server; absent for the embedded database of `data_dir`. */
  database_url?: string;
  /** Name under which the operator gave `database_url`, for errors: DATABASE_URL by default. */
  url_setting?: string;
  /** `memory://` keeps the data in memory. */
  data_dir: string;
  /** Max number of connections; 10 by default. */
  max_connections?: number;
  log: Log;
  /** Max seconds of one statement on a server: 10 by default. PGlite cannot interrupt any. */
  statement_timeout_seconds?: number;
  application_name?: string;
  /** True if a database that another process holds may be used, through its private socket. */
  borrow?: boolean;
  /** Times statements. */
  metrics?: Pick<Metrics, "statementEnded">;
  /** True if a directory without a database is refused instead of getting one. */
  must_exist?: boolean;
  /** Called under the directory's lock, before a database is made in it. */
  onCreate?: () => Promise<void>;
}

const MEMORY = "memory://";
const LEAST_SERVER_VERSION = 150000;
const MAX_CONNECTIONS = 10;
const STATEMENT_TIMEOUT_SECONDS = 10;

/**
 * Seconds until waiting for a lock ends. They are fewer than the statement's time-out, so that a
 * queue for one row does not hold up all.
 */
const LOCK_TIMEOUT_SECONDS = 3;
const IDLE_IN_TRANSACTION_SECONDS = 30;
/** Seconds until a connection attempt times out, well below the recovery budget of 5 s. */
const CONNECT_TIMEOUT_SECONDS = 3;
const WAIT_SECONDS = 3;
/**
 * Seconds that an answer may take to arrive once the server has given up on the statement by
 * itself.
 */
const DEADLINE_GRACE_SECONDS = 2;
/** Max seconds without traffic in a transaction. Only migrations and tools use transactions. */
const SILENCE_SECONDS = 900;
/** Seconds until the socket of a process must exist that has just taken the directory. */
const BORROW_SECONDS = 10;

/**
 * Opens the database of the options.
 * @throws Error that names the reason, if the database cannot be reached, is older than PostgreSQL
 * 15, or belongs to another process
 */
export async function connect(options: DatabaseOptions): Promise<Database> {
  if (options.database_url !== undefined) return await connectServer(options, options.database_url);
  if (options.data_dir === MEMORY) {
    return await connectEmbedded(await openEmbedded({ log: options.log }), options);
  }
  await prepareDirectory(options);
  const taken = await takeLockOrBorrow(options);
  if ("sql" in taken) return taken;
  try {
    if (!await isCreated(options.data_dir)) {
      if (await isHalfRestored(options.data_dir)) throw halfRestored(options.data_dir);
      if (options.must_exist) throw noDatabase(options.data_dir);
      await options.onCreate?.();
    }
    await makePrivate(options.data_dir, options.log);
    const stored = { data_dir: options.data_dir, lock: taken };
    return await connectEmbedded(await openEmbedded({ stored, log: options.log }), options);
  } catch (error) {
    taken.release();
    throw error;
  }
}

/** Creates the directory if a database may be made in it. Otherwise requires a database there. */
async function prepareDirectory({ data_dir, must_exist }: DatabaseOptions): Promise<void> {
  if (!must_exist) await Deno.mkdir(data_dir, { recursive: true, mode: 0o700 });
  // A service that is just making the database holds the lock already.
  else if (!await isCreated(data_dir) && !await hasLock(data_dir)) throw noDatabase(data_dir);
}

function noDatabase(data_dir: string): Error {
  return new Error(
    `There is no database in ${data_dir}. Is DATA_DIR right? A service makes one when it starts; ` +
      `ingest and admin make one with --create.`,
  );
}

function halfRestored(data_dir: string): Error {
  return new Error(
    `A restore into ${data_dir} was cut short. Remove the directory, and restore again.`,
  );
}

async function connectServer(options: DatabaseOptions, url: string): Promise<Database> {
  const { address, path } = readAddress(url);
  const openSocket = openServerSocket();
  let target: Target | undefined;
  const pool = await openPool({
    ...poolSettings(options, path === undefined ? {} : { path }),
    url: address,
    openSocket: (asked) => openSocket(target = asked),
  }).catch((cause) => {
    const at = target === undefined ? "" : ` at ${placeOf(target)}`;
    const { url_setting = "DATABASE_URL" } = options;
    throw new Error(`Cannot connect to the database${at}. Is ${url_setting} right?`, { cause });
  });
  const [row] = await pool.sql<
    [{ version: number }]
  >`select current_setting('server_version_num')::integer as version`;
  if (row.version < LEAST_SERVER_VERSION) {
    await pool.close();
    throw new Error(`PostgreSQL 15 or later is needed; the server is ${row.version}.`);
  }
  return { ...pool, kind: "server" };
}

/** Returns the hosts with their ports, or the path, without a user or a password. */
function placeOf({ host, port, path }: Target): string {
  return path || host.map((one, index) => hostAddress(one, port[index] ?? port[0]!)).join(", ");
}

/** Connects the driver to an embedded database. Closing the result closes both. */
export async function connectEmbedded(
  embedded: Embedded,
  options: Omit<DatabaseOptions, "data_dir">,
): Promise<Database> {
  const pool = await openPool({
    ...poolSettings(options, SUPERUSER),
    openSocket: () => embedded.connection(),
  });
  const upkeep = embedded.stored
    ? startMaintenance({ sql: pool.sql, log: options.log })
    : undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    await upkeep?.stop();
    await pool.close();
    await embedded.close();
  };
  return { sql: pool.sql, kind: "embedded", close: () => closing ??= close() };
}

async function connectBorrowed(options: DatabaseOptions): Promise<Database> {
  const path = privateSocketPath(options.data_dir);
  const pool = await openPool({
    ...poolSettings(options, SUPERUSER),
    openSocket: () => openPathSocket(path),
  });
  return { ...pool, kind: "borrowed" };
}

/**
 * Takes the lock of the directory, or borrows the database of the process that holds it. Waits up
 * to BORROW_SECONDS, because a starting process has no socket yet, and a closing one soon frees the
 * lock.
 */
async function takeLockOrBorrow(options: DatabaseOptions): Promise<DataLock | Database> {
  const { data_dir, borrow } = options;
  const end = performance.now() + BORROW_SECONDS * 1000;
  while (true) {
    const lock = await takeDataLock(data_dir);
    if (lock !== undefined) return lock;
    const held = `The data directory ${data_dir} is in use by process ${await findLockHolder(
      data_dir,
    )}`;
    if (!borrow) throw new Error(`${held}.`);
    try {
      return await connectBorrowed(options);
    } catch (error) {
      if (performance.now() > end) {
        throw new Error(`${held}, and its private socket does not answer.`, { cause: error });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const SUPERUSER = { host: "localhost", user: "postgres", database: "postgres", pass: "" };

function poolSettings(
  options: Omit<DatabaseOptions, "data_dir">,
  identity: Record<string, string> = {},
): Omit<PoolOptions, "openSocket"> {
  const statement_seconds = options.statement_timeout_seconds ?? STATEMENT_TIMEOUT_SECONDS;
  return {
    connections: options.max_connections ?? MAX_CONNECTIONS,
    wait_seconds: WAIT_SECONDS,
    deadline_seconds: statement_seconds + DEADLINE_GRACE_SECONDS,
    silence_seconds: SILENCE_SECONDS,
    metrics: options.metrics,
    settings: {
      ...identity,
      prepare: true,
      onnotice: () => {},
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
      connection: {
        application_name: options.application_name ?? "company-evidence",
        TimeZone: "UTC",
        // Compiling one of these short statements takes longer than running it.
        jit: "off",
        // One plan serves all parameters, because every statement finds its rows by an index.
        plan_cache_mode: "force_generic_plan",
        statement_timeout: statement_seconds * 1000,
        lock_timeout: LOCK_TIMEOUT_SECONDS * 1000,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_SECONDS * 1000,
      },
    },
  };
}
