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
  cursorFn?: unknown;
  /** Text of the statement around its parameters. */
  strings?: readonly string[];
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
    const { handler, reject } = query;
    query.handler = (query) => execute(query, handler);
    query.reject = (error) => reject(toFailure(error));
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
