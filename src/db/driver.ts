/** Opens connections by the driver `pg`, of which the pool makes use. */
import type { EventEmitter } from "node:events";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import pg from "pg";

/** Configuration of a session for the driver. */
export interface SessionConfig {
  host: string;
  port?: number;
  user?: string;
  password?: string;
  database?: string;
  ssl?: boolean | object;
  application_name?: string;
  statement_timeout?: number;
  lock_timeout?: number;
  idle_in_transaction_session_timeout?: number;
  /** Further settings, in the form of libpq. */
  options?: string;
}

/** A connection of the driver's pool. */
export interface Client {
  query(command: object): Promise<Result | Result[]>;
  /** Gives the connection back to the pool; `true` throws it away. */
  release(broken?: boolean): void;
  /** Closes the connection at once, without waiting for the server. */
  destroy(): void;
  /**
   * Random prefix of its prepared statements. All connections of the embedded database share one
   * session, in which these names must differ.
   */
  readonly prefix: string;
}

/** Result of one statement. */
export interface Result {
  command: string;
  rows: unknown[];
}

/** The driver's pool, with its connections. */
export interface DriverPool {
  connect(): Promise<Client>;
  /** Closes idle connections at once, and the others when they are given back. */
  end(): Promise<void>;
  readonly open: ReadonlySet<Client>;
}

/**
 * Seconds without traffic until the kernel sends keep-alive probes, which detect a half-open
 * connection.
 */
const KEEP_ALIVE_SECONDS = 30;

/** Values of results: a bigint is a number, and a date without a time is midnight in UTC. */
const TYPES: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  1016: (text) => text === "{}" ? [] : text.slice(1, -1).split(",").map(Number), // bigint[]
  [pg.types.builtins.DATE]: (text) => new Date(text),
  [pg.types.builtins.TIMESTAMP]: (text) => new Date(text),
  [pg.types.builtins.INTERVAL]: String,
};

const DriverClient = pg.Client as new (
  config: object,
) => EventEmitter & Omit<Client, "destroy" | "prefix">;

/** Options of the driver's pool. */
export interface DriverOptions {
  /** Destination, login and settings of the sessions. */
  session: SessionConfig;
  /** Opens the stream of a connection; absent: a socket, which connects to the host of `session`. */
  openStream?: () => Duplex;
  connections: number;
  /** Max seconds that a statement may wait for a connection. */
  wait_seconds: number;
}

/** Creates a pool of the driver. A connection carries one statement at a time. */
export function createPool(
  options: DriverOptions,
): DriverPool {
  const { session, openStream, connections, wait_seconds } = options;
  const open = new Set<Client>();
  class DestroyableClient extends DriverClient implements Client {
    readonly prefix = crypto.randomUUID();
    readonly #stream: Duplex;

    constructor(config: object) {
      const stream = openStream?.() ?? new Socket();
      super({ ...config, stream: () => stream });
      this.#stream = stream;
      // The statement under way reports the error.
      this.on("error", () => {});
      open.add(this);
      this.once("end", () => open.delete(this));
    }

    /** Closes the connection at once, without waiting for the server. */
    destroy(): void {
      this.#stream.destroy();
    }
  }
  const pool = new pg.Pool({
    ...session,
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
    Client: DestroyableClient,
  });
  // An idle connection has ended. The pool has removed it already.
  pool.on("error", () => {});
  return Object.assign(pool, { open });
}

/** Returns whether the server sent an error. */
export function isRefusal(
  error: unknown,
): error is Error & { code: string; severity: string; routine: string } {
  return error instanceof pg.DatabaseError;
}
