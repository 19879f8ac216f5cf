import type { Duplex } from "node:stream";
import postgres from "postgres";
import type { Sql } from "./sql.ts";
import { toFailure } from "./failure.ts";

/** Destination of a socket, which the driver has read from the address. */
export interface Target {
  host: string[];
  port: number[];
  path: string | false;
  /** Truthy if the driver may upgrade the connection to TLS. */
  ssl?: unknown;
}

/** A lazy query of the driver. Awaiting it calls its handler, which sends it. */
export interface DriverQuery extends Promise<unknown> {
  handler(query: DriverQuery): void;
  reject(error: unknown): void;
  /** True while the statement is under way. Only then does the driver cancel it. */
  active: boolean;
  cursor(): never;
  /** Text of the statement around its parameters. */
  strings?: readonly string[];
  resolve(result: unknown): void;
  /** Makes the driver call the handler soon, unless it was called before. */
  handle(): Promise<void>;
  // Texts and values of the statement, which dropResult() clears.
  args?: unknown;
  parameters?: unknown;
  string?: unknown;
  signature?: unknown;
  statement?: unknown;
  /** Outcome for those who await the query. Undefined until the query is awaited or executed. */
  outcome?: Promise<unknown>;
  isAwaited?: boolean;
}

/** Options of `openDriver`. */
export interface DriverOptions {
  url?: string;
  settings: Record<string, unknown>;
  openSocket(target: Target): Duplex;
}

/** Creates the driver for one connection, which it opens for its first query. */
export function openDriver({ url, settings, openSocket }: DriverOptions): Sql {
  const options = { ...settings, max: 1, socket: openSocket } as object;
  return (url === undefined ? postgres(options) : postgres(url, options)) as Sql;
}

/** Function that executes an awaited query. */
export type Execute = (query: DriverQuery) => void;

/** Returns the function with which the driver itself executes a query. */
export function executeOf(sql: Sql): Execute {
  return (sql`` as unknown as DriverQuery).handler;
}

/**
 * Replaces `then` of a query. The query gets a promise of our own for its outcome, so that
 * dropResult() can separate the outcome from the query.
 */
const thenOfOutcome: DriverQuery["then"] = function (this: DriverQuery, ...callbacks) {
  const outcome = this.outcome ?? createOutcome(this, toFailure);
  this.isAwaited = true;
  void this.handle();
  return outcome.then(...callbacks);
};

/** Creates the outcome of a query, with its errors converted by `errorOf`. */
export function createOutcome(
  query: DriverQuery,
  errorOf: (error: unknown) => unknown,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const succeed = (result: unknown) => {
    query.active = false;
    resolve(result);
  };
  const fail = (error: unknown) => {
    query.active = false;
    reject(errorOf(error));
  };
  query.resolve = succeed;
  query.reject = fail;
  query.outcome = promise;
  return promise;
}

/** Replaces `cursor` of a query. A caller could stop reading at any time and keep the connection. */
function refuseCursor(): never {
  throw new Error("Read in pages: a cursor has no deadline.");
}

/** Outcome of a query whose result was dropped. */
const DROPPED = Promise.reject(
  new Error("The result of an ended statement can be awaited only once."),
);
DROPPED.catch(() => {});

function ignore(): void {}

/**
 * Separates an awaited query that has ended from its result and its texts. V8 allocates the
 * driver's functions `resolve` and `reject` of each query in the old generation of the heap. There
 * they keep the query alive until the next full garbage collection, and with it everything that it
 * refers to.
 */
export function dropResult(query: DriverQuery): void {
  if (!query.isAwaited) return;
  query.outcome = DROPPED;
  query.resolve = query.reject = ignore;
  query.args =
    query.parameters =
    query.string =
    query.signature =
    query.statement =
      undefined;
}

/**
 * Returns the driver's `sql` with another way to execute queries. A query is passed to `execute`
 * when it is awaited, and toFailure() converts its error. A fragment of a statement is also a query
 * object. It is never awaited, so it is never executed alone.
 * @param replaced properties that replace those of the driver
 */
export function intercept<Target extends object>(
  sql: Target,
  execute: (query: DriverQuery, original: Execute) => void,
  replaced: Record<PropertyKey, unknown> = {},
): Target {
  const guard = (result: unknown) => {
    if (!(result instanceof Promise)) return result;
    const query = result as DriverQuery;
    const { handler } = query;
    const handle: Execute = (query) => {
      // Some queries are executed before they are awaited.
      if (!query.outcome) createOutcome(query, toFailure);
      execute(query, handler);
    };
    query.handler = handle;
    query.then = thenOfOutcome;
    query.cursor = refuseCursor;
    return query;
  };
  const { unsafe } = sql as { unsafe(...args: unknown[]): unknown };
  const properties: Record<PropertyKey, unknown> = {
    unsafe: (...args: unknown[]) => guard(unsafe(...args)),
    ...replaced,
  };
  return new Proxy(sql, {
    apply: (target, _, args) => guard((target as (...args: unknown[]) => unknown)(...args)),
    get: (target, name) =>
      Object.hasOwn(properties, name) ? properties[name] : Reflect.get(target, name),
  });
}

/** Returns an error with the driver's code for a lost connection. */
export function closedError(message: string): Error {
  return Object.assign(new Error(message), { code: "CONNECTION_CLOSED" });
}
