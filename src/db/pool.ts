/** Sends statements over a pool of connections, each with a deadline, and measures them. */
import type { Span } from "@opentelemetry/api";
import type { Metrics } from "../metrics.ts";
import { isTracing, startStatement } from "../tracing.ts";
import { type Client, createPool, type DriverOptions, isRefusal, type Result } from "./driver.ts";
import { toFailure } from "./failure.ts";
import { type Command, createSql, type Sql } from "./sql.ts";

/** Options of `openPool`. */
export interface PoolOptions extends DriverOptions {
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

/** Seconds that statements under way have to finish when the pool is closed. */
const FINISH_SECONDS = 5;

/**
 * Opens a pool.
 * @throws Error if the first connection cannot be made
 */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const state = { pool: createPool(options), isClosed: false };
  const take = async (): Promise<Client> => {
    if (state.isClosed) throw codedError("CONNECTION_ENDED", "The pool is closed.");
    try {
      return await state.pool.connect();
    } catch (error) {
      throw codeOf(error) !== undefined
        ? error
        : codedError("POOL_EXHAUSTED", "No connection to the database became free in time.", error);
    }
  };
  /** Replaces all connections. Those in use end when they are given back. */
  const renew = () => {
    if (state.isClosed) return;
    const old = state.pool;
    state.pool = createPool(options);
    void old.end();
  };
  /**
   * Gives a client back after an error. If it did not answer in time, the other idle connections
   * are probably half-open too. On each, another statement would wait for its deadline.
   */
  const discard = (client: Client, error: unknown) => {
    client.destroy();
    client.release(true);
    if (codeOf(error) === "DEADLINE") renew();
  };
  /**
   * Sends a statement again over a new connection, after a migration has changed its columns. The
   * refused statement has changed nothing, because a statement is a transaction. The plans of all
   * other connections may be stale, too.
   */
  const sendAnew = (command: SentCommand, watch?: StatementWatch) => {
    renew();
    return sendOnce(command, watch);
  };
  const sendOnce = async (command: SentCommand, watch?: StatementWatch) => {
    const client = await take();
    watch?.sent();
    try {
      const rows = await query(client, command, options.deadline_seconds);
      client.release();
      return rows;
    } catch (error) {
      if (isHealthy(error)) client.release();
      else discard(client, error);
      throw error;
    }
  };
  const send = async (command: SentCommand) => {
    const watch = watchStatement(options.metrics, command.text);
    try {
      const rows = await sendOnce(command, watch)
        .catch((error) => isStalePlan(error) ? sendAnew(command, watch) : Promise.reject(error));
      watch?.ended();
      return rows;
    } catch (error) {
      watch?.ended(error);
      throw toFailure(error);
    }
  };
  const begin = async <Result>(work: (tx: Sql) => Promise<Result> | Result): Promise<Result> => {
    const client = await take().catch((error) => {
      throw toFailure(error);
    });
    const sendWithin = (command: SentCommand) =>
      query(client, command, options.transaction_deadline_seconds).catch((error) => {
        if (!isHealthy(error)) client.destroy();
        throw toFailure(error);
      });
    const tx = createSql({
      send: sendWithin,
      sendText: (text) => sendWithin({ text }),
      begin: () => Promise.reject(new Error("A transaction has no further transaction.")),
    });
    try {
      await sendWithin({ text: "begin" });
      const result = await work(tx);
      await sendWithin({ text: "commit", expects: "COMMIT" });
      client.release();
      return result;
    } catch (error) {
      await sendWithin({ text: "rollback" }).then(
        () => client.release(),
        (failed) => discard(client, failed),
      );
      throw error;
    }
  };
  const pool = {
    sql: createSql({ send, sendText: (text) => send({ text }), begin }),
    async close() {
      state.isClosed = true;
      const ended = state.pool.end().catch(() => {});
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        for (const client of state.pool.open) client.destroy();
        late.resolve();
      }, FINISH_SECONDS * 1000);
      await Promise.race([ended, late.promise]);
      clearTimeout(timer);
    },
  };
  try {
    const client = await take();
    client.release();
  } catch (error) {
    await pool.close();
    throw error;
  }
  return pool;
}

/** A command to send. Without values, the text may contain several statements. */
interface SentCommand extends Partial<Command> {
  text: string;
  /** Command that the server has to confirm. */
  expects?: string;
}

/** Numbers of prepared statements by their texts. The texts are those of the code, so they are few. */
const numbers = new Map<string, number>();

/** Sends a command over a connection, and returns the rows of its last statement. */
async function query(
  client: Client,
  { text, values, expects }: SentCommand,
  deadline_seconds: number,
): Promise<readonly unknown[]> {
  const name = values &&
    `${client.prefix} ${numbers.getOrInsertComputed(text, () => numbers.size)}`;
  const config = { text, values, name, query_timeout: deadline_seconds * 1000 };
  let result: Result | Result[];
  try {
    result = await client.query(config);
  } catch (error) {
    throw withCode(error);
  }
  const last = Array.isArray(result) ? result.at(-1)! : result;
  if (expects !== undefined && last.command !== expects) {
    throw new Error(`The transaction was not committed: the server answered ${last.command}.`);
  }
  return last.rows;
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

function codedError(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | undefined)?.code;
}

/** Returns whether the connection can be used after an error: the server has refused a statement. */
function isHealthy(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  return error.severity !== "FATAL" && error.severity !== "PANIC" && !isStalePlan(error);
}

/** Returns whether a statement was not executed because its prepared plan no longer fits. */
function isStalePlan(error: unknown): boolean {
  return isRefusal(error) && error.code === "0A000" && error.routine === "RevalidateCachedQuery";
}

/** Returns a watch for a statement; undefined if there are neither metrics nor traces. */
function watchStatement(
  metrics: Pick<Metrics, "statementEnded"> | undefined,
  text: string,
): StatementWatch | undefined {
  if (metrics === undefined && !isTracing) return undefined;
  const span = isTracing ? startStatement(CALL.exec(text)?.[1]) : undefined;
  return new StatementWatch(metrics, span);
}

/** Measures one statement, and reports it once. */
export class StatementWatch {
  readonly #metrics?: Pick<Metrics, "statementEnded">;
  readonly #span?: Span;
  readonly #started = performance.now();
  #sent: number | undefined;
  #over = false;

  constructor(metrics?: Pick<Metrics, "statementEnded">, span?: Span) {
    this.#metrics = metrics;
    this.#span = span;
  }

  /** Notes that the statement has got a connection. */
  sent(): void {
    this.#sent = performance.now();
  }

  /** Notes the end of the statement, and its error if it failed. */
  ended(error?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const now = performance.now();
    const sent = this.#sent ?? now;
    const type = error === undefined ? undefined : errorTypeOf(error);
    this.#metrics?.statementEnded({
      waited_seconds: (sent - this.#started) / 1000,
      seconds: (now - sent) / 1000,
      error: type,
    });
    if (type !== undefined) this.#span?.setAttribute("error.type", type);
    this.#span?.end();
  }
}

/** Pattern of a statement that only calls a function. */
const CALL = /^\s*select (\w+)\(/;

/** Returns the code of an error, or of its cause: a SQLSTATE or a name such as `DEADLINE`. */
function errorTypeOf(error: unknown): string {
  const { cause, code } = Object(error) as { cause?: unknown; code?: unknown };
  if (cause !== undefined) return errorTypeOf(cause);
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : "_OTHER";
}
