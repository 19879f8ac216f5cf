/** Sends statements to one node of a search engine over the MySQL protocol. */
import { connect } from "node:net";
import { inTime } from "../../in_time.ts";
import { createPool, type Pool, type PoolConnection, type RowDataPacket } from "mysql2/promise";

/** Address of a node. */
export interface NodeAddress {
  host: string;
  port: number;
  user?: string;
  password?: string;
}

/** A row by the names of its columns. Integers beyond 2^53 are texts. */
export type EngineRow = Readonly<Record<string, string | number | null>>;

/** Default port of Manticore and Sphinx. */
const DEFAULT_PORT = 9306;

/** Milliseconds until a connection attempt times out. */
const CONNECT_MILLISECONDS = 1_000;
/** Milliseconds until a statement times out, well below the deadline of a request. */
const STATEMENT_MILLISECONDS = 8_000;
/** Max number of connections to one node. */
const CONNECTIONS_MAX = 8;

/** Engine's error number for a statement that it cannot parse. */
const PARSE_ERROR = 1064;

/**
 * Reads addresses of the form `mysql://host:port`, separated by commas.
 * @throws Error for a text without an address, or with one of another form
 */
export function readNodeAddresses(urls: string): NodeAddress[] {
  return urls.split(",").map((text) => {
    const url = URL.parse(text.trim());
    const isPlain = url !== null && url.protocol === "mysql:" && url.hostname !== "" &&
      ["", "/"].includes(url.pathname) && url.search === "" && url.hash === "";
    if (!isPlain) throw new Error("an address such as mysql://host:9306 is required");
    return {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? DEFAULT_PORT : Number(url.port),
      ...url.username !== "" && { user: decodeURIComponent(url.username) },
      ...url.password !== "" && { password: decodeURIComponent(url.password) },
    };
  });
}

/** Returns whether an engine refused a statement because it cannot parse the statement. */
export function isUnknownStatement(error: unknown): boolean {
  return error instanceof Error && "errno" in error && error.errno === PARSE_ERROR;
}

/** Connections to one node, which are opened on demand. */
export class NodeConnection {
  /** The address as `host:port`, for messages. */
  readonly name: string;
  readonly #pool: Pool;

  constructor({ host, port, user, password }: NodeAddress) {
    this.name = `${host}:${port}`;
    this.#pool = createPool({
      host,
      port,
      user,
      password,
      connectTimeout: CONNECT_MILLISECONDS,
      connectionLimit: CONNECTIONS_MAX,
      multipleStatements: true,
      supportBigNumbers: true,
      // No statement is prepared. By default, each connection reserves half a megabyte for prepared
      // statements.
      maxPreparedStatements: 1,
      stream: () => connect({ host, port, noDelay: true }).setKeepAlive(true),
    });
  }

  /**
   * Sends statements in one packet and returns the rows of each.
   * @throws an error of the driver, or the engine's error for the first statement that fails
   */
  async select(statements: readonly string[]): Promise<EngineRow[][]> {
    const sql = statements.join("; ");
    return await this.#withConnection(async (connection) => {
      const [results] = await this.#send(connection, sql);
      return statements.length === 1
        ? [results as unknown as EngineRow[]]
        : results as unknown as EngineRow[][];
    });
  }

  /**
   * Sends statements one after the other.
   * @param check called right before each statement; if it throws, no more are sent
   */
  async run(statements: readonly string[], check: () => void = () => {}): Promise<void> {
    await this.#withConnection(async (connection) => {
      for (const sql of statements) {
        check();
        await this.#send(connection, sql);
      }
    });
  }

  /** Sends statements on one table as one transaction. `check` is called as in `run`. */
  async transact(statements: readonly string[], check?: () => void): Promise<void> {
    await this.run(["BEGIN", ...statements, "COMMIT"], check);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /**
   * Sends statements in one packet. The driver's own time-out is not used, because its timer would
   * keep running after the connection is lost.
   */
  #send(connection: PoolConnection, sql: string) {
    return inTime(
      connection.query<RowDataPacket[] | RowDataPacket[][]>(sql),
      STATEMENT_MILLISECONDS,
      `${this.name}: no answer within ${STATEMENT_MILLISECONDS} ms`,
    );
  }

  /**
   * Runs work on a pooled connection. A connection on which a statement failed or timed out is
   * closed.
   */
  async #withConnection<Result>(
    use: (connection: PoolConnection) => Promise<Result>,
  ): Promise<Result> {
    const connection = await this.#pool.getConnection();
    try {
      const result = await use(connection);
      connection.release();
      return result;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }
}
