/** Sends statements over a pool of the driver `pg`, each with a deadline, and measures them. */
import type { Duplex } from "node:stream";
import pg from "pg";
import type { Metrics } from "../metrics.ts";
import { atMost } from "../repeat.ts";
import { isTracing, startStatement } from "../tracing.ts";
import type { DatabaseAddress } from "./address.ts";
import { codeOf, toFailure } from "./failure.ts";
import { type Command, createSql, type Sql } from "./sql.ts";

/** Configuration of a session for the driver. */
export interface SessionConfig extends DatabaseAddress {
  application_name?: string;
  statement_timeout?: number;
  lock_timeout?: number;
  idle_in_transaction_session_timeout?: number;
  /** Further settings, in the form of libpq. */
  options?: string;
}

/** Options of `openPool`. */
export interface PoolOptions {
  /** Destination, login and settings of the sessions. */
  session: SessionConfig;
  /** Opens the stream of a connection; absent: a socket, which connects to the host of `session`. */
  openStream?: () => Duplex;
  connections: number;
  /** Max seconds that a statement may wait for a connection. */
  wait_seconds: number;
  /** Max seconds for a statement on its connection. After that, the connection is thrown away. */
  deadline_seconds: number;
  /** Max seconds for a statement of a transaction. Only migrations and tools use transactions. */
  transaction_deadline_seconds: number;
  /** Metrics that receive the duration of each statement. */
  metrics?: Pick<Metrics, "statementEnded">;
}

export interface Pool {
  /**
   * Every statement ends in time, with its rows or an error. If a retry may help, the error is the
   * Failure `unavailable`. Its `cause` is the driver's own error.
   */
  sql: Sql;
  /** Waits up to 5 seconds for statements under way, then closes every connection. */
  close(): Promise<void>;
}

/** A connection of the driver's pool. */
interface Client {
  /** Number of the server's process, or of the connection to the embedded database. */
  processID: number;
  query(command: object): Promise<Result | Result[]>;
  /** Gives the connection back to the pool; `true` throws it away. */
  release(broken?: boolean): void;
  /** Closes the connection; at once if a statement is under way. */
  end(): Promise<void>;
  on(event: "error", listener: () => void): void;
}

/** Result of one statement. */
interface Result {
  command: string;
  rows: unknown[];
}

/** Seconds that statements under way have to finish, a part of STOP_SECONDS of main.ts. */
const FINISH_SECONDS = 5;

/**
 * Seconds without traffic until the kernel sends keep-alive probes, which detect a half-open
 * connection. The number is chosen below the idle time-outs of usual firewalls, which are minutes.
 */
const KEEP_ALIVE_SECONDS = 30;

/** Values of results: a bigint is a number. */
const TYPES: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  1016: (text) => text === "{}" ? [] : text.slice(1, -1).split(",").map(Number), // bigint[]
};

/**
 * Opens a pool.
 * @throws Error if the first connection cannot be made
 */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const { deadline_seconds, transaction_deadline_seconds, metrics } = options;
  let pool = createPool(options);
  let isClosed = false;
  const busy = new Set<Client>();
  /**
   * Gives `use` a connection. After an error, the connection is thrown away, which rolls back its
   * transaction. If it did not answer in time, the other idle connections are probably half-open
   * too: on each, another statement would wait for its deadline. Then all connections are replaced.
   */
  const withClient = async <T>(use: (client: Client) => Promise<T>): Promise<T> => {
    const client: Client = await pool.connect().catch((error: unknown) => {
      if (codeOf(error) !== undefined) throw error;
      throw codedError("POOL_EXHAUSTED", "No connection to the database is free.", error);
    });
    busy.add(client);
    try {
      const result = await use(client);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      if (!isClosed && codeOf(error) === "DEADLINE") {
        // Connections in use end when they are given back.
        void pool.end();
        pool = createPool(options);
      }
      throw error;
    } finally {
      busy.delete(client);
    }
  };
  const send = async (command: Command) => {
    const span = isTracing ? startStatement(CALL.exec(command.text)?.[1]) : undefined;
    const started = performance.now();
    let sent: number | undefined;
    let error: string | undefined;
    try {
      return await withClient((client) => {
        sent = performance.now();
        return query(client, command, deadline_seconds);
      });
    } catch (cause) {
      error = codeOf(cause) ?? "_OTHER";
      span?.setAttribute("error.type", error);
      throw toFailure(cause);
    } finally {
      const ended = performance.now();
      sent ??= ended;
      const [waited_seconds, seconds] = [(sent - started) / 1000, (ended - sent) / 1000];
      metrics?.statementEnded({ waited_seconds, seconds, error });
      span?.end();
    }
  };
  const begin = <T>(work: (tx: Sql) => Promise<T> | T): Promise<T> =>
    withClient(async (client) => {
      const sendWithin = (command: Command) =>
        query(client, command, transaction_deadline_seconds).catch(throwFailure);
      const tx = createSql({
        send: sendWithin,
        begin: () => Promise.reject(new Error("A transaction has no further transaction.")),
      });
      await sendWithin({ text: "begin" });
      const result = await work(tx);
      await sendWithin({ text: COMMIT });
      return result;
    }).catch(throwFailure);
  await withClient(() => Promise.resolve()).catch(async (error) => {
    await pool.end();
    throw error;
  });
  return {
    sql: createSql({ send, begin }),
    async close() {
      isClosed = true;
      await atMost(FINISH_SECONDS * 1000, pool.end().catch(() => {}));
      for (const client of busy) void client.end();
    },
  };
}

/** Creates a pool of the driver. A connection carries one statement at a time. */
function createPool({ session, openStream, connections, wait_seconds }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...session,
    stream: openStream,
    // Idle connections stay open, because opening one takes several times as long as a statement.
    idleTimeoutMillis: 0,
    max: connections,
    connectionTimeoutMillis: wait_seconds * 1000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1000,
    types: {
      getTypeParser: (oid: number, format: string) =>
        TYPES[oid] ?? pg.types.getTypeParser(oid, format),
    },
  });
  // The statement under way reports the error.
  pool.on("connect", (client: Client) => client.on("error", () => {}));
  // An idle connection has ended. The pool has removed it already.
  pool.on("error", () => {});
  return pool;
}

/** Text of the statement that commits, and of the server's answer to it. */
const COMMIT = "COMMIT";

/** Numbers of prepared statements by their texts. The texts are those of the code, so they are few. */
const numbers = new Map<string, number>();

/** Sends a command over a connection, and returns the rows of its last statement. */
async function query(
  client: Client,
  { text, values }: Command,
  deadline_seconds: number,
): Promise<readonly unknown[]> {
  // All connections of the embedded database share one session, in which these names must differ.
  const name = values &&
    `${client.processID} ${numbers.getOrInsertComputed(text, () => numbers.size)}`;
  const config = { text, values, name, query_timeout: deadline_seconds * 1000 };
  const result = await client.query(config).catch((error) => Promise.reject(withCode(error)));
  const { command, rows } = Array.isArray(result) ? result.at(-1)! : result;
  // The server answers ROLLBACK if a statement of the transaction has failed.
  if (text === COMMIT && command !== COMMIT) {
    throw new Error(`The transaction was not committed: the server answered ${command}.`);
  }
  return rows;
}

/** Messages of errors by which the driver reports a lost connection, without a code. */
const LOST_CONNECTION: ReadonlySet<string> = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
]);

/** Gives a code to errors of the driver that have none. Any other error is a defect. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || codeOf(error) !== undefined) return error;
  if (error.message === "Query read timeout") {
    return codedError("DEADLINE", "The database did not answer in time.", error);
  }
  if (LOST_CONNECTION.has(error.message)) {
    return codedError("CONNECTION_CLOSED", "The connection to the database was lost.", error);
  }
  return error;
}

function throwFailure(error: unknown): never {
  throw toFailure(error);
}

function codedError(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

/** Pattern of a statement that only calls a function. */
const CALL = /^\s*select (\w+)\(/;
