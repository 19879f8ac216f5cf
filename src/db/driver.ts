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
  /** Outcome for those who await the query. Undefined until the query is awaited or executed. */
  outcome?: Promise<unknown>;
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
  return sampleOf(sql).handler;
}

/** Returns a query that is never sent. All have the same text, because the driver keeps each text. */
function sampleOf(sql: object): DriverQuery {
  return (sql as (strings: TemplateStringsArray) => DriverQuery)``;
}

/** Replaces `then` of a query by that of its outcome. */
const thenOfOutcome: DriverQuery["then"] = function (this: DriverQuery, ...callbacks) {
  const outcome = this.outcome ?? createOutcome(this, toFailure);
  void this.handle();
  return outcome.then(...callbacks);
};

/** Creates the outcome of a query, with its errors converted by `errorOf`. */
export function createOutcome(
  query: DriverQuery,
  errorOf: (error: unknown) => unknown,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  // These functions have names, because a function literal that is assigned to a property would keep
  // the query in memory, as described at intercept().
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

/** Place of the first use of each text. The driver adds it to the stacks of errors. */
const origins = new WeakMap<TemplateStringsArray, { stack: string }>();

/** Number of frames of an origin. */
const ORIGIN_FRAMES = 4;

/** Returns the place from which `callee` was called. */
function originOf(callee: (...args: never[]) => unknown): { stack: string } {
  const origin = { stack: "" };
  const frames = Error.stackTraceLimit;
  Error.stackTraceLimit = ORIGIN_FRAMES;
  Error.captureStackTrace(origin, callee);
  Error.stackTraceLimit = frames;
  return origin;
}

function ignore(): void {}

/** Returns whether the driver takes a value for the text of a query. */
function isTemplate(strings: unknown): strings is TemplateStringsArray {
  return Array.isArray((strings as Partial<TemplateStringsArray> | null | undefined)?.raw);
}

/**
 * Returns the driver's `sql` with another way to execute queries. A query is passed to `execute`
 * when it is awaited, and toFailure() converts its error. A fragment of a statement is also a query
 * object. It is never awaited, so it is never executed alone.
 *
 * Queries are copies of one that the driver has created, except those of `unsafe`. V8 allocates
 * each function literal that is assigned to a property in the old generation of the heap, and the
 * driver assigns two when it creates a query. They would keep the query, its promise and everything
 * that it refers to alive until the next full garbage collection. A copy is no promise itself, but
 * has the methods of one.
 * @param replaced properties that replace those of the driver
 */
export function intercept<Target extends object>(
  sql: Target,
  execute: (query: DriverQuery, original: Execute) => void,
  replaced: Record<PropertyKey, unknown> = {},
): Target {
  const call = sql as (...args: unknown[]) => unknown;
  const sample = sampleOf(sql);
  const { handler } = sample;
  const overrides = {
    handler(query: DriverQuery) {
      // Some queries are executed before they are awaited.
      if (!query.outcome) createOutcome(query, toFailure);
      execute(query, handler);
    },
    then: thenOfOutcome,
    cursor: refuseCursor,
  };
  const [originSymbol] = Object.getOwnPropertySymbols(sample);
  const blank = { ...sample, ...overrides, resolve: ignore, reject: ignore };
  const prototype = Object.getPrototypeOf(sample);
  const create = (strings: TemplateStringsArray, args: unknown[]): DriverQuery =>
    Object.assign(Object.create(prototype), blank, {
      strings,
      args,
      options: {},
      [originSymbol!]: origins.getOrInsertComputed(strings, createOrigin),
    });
  const apply = (_target: Target, _this: unknown, [first, ...rest]: unknown[]) =>
    isTemplate(first) ? create(first, rest) : call(first, ...rest);
  const createOrigin = () => originOf(apply);
  const { unsafe } = sql as { unsafe(...args: unknown[]): object };
  const properties: Record<PropertyKey, unknown> = {
    unsafe: (...args: unknown[]) => Object.assign(unsafe(...args), overrides),
    ...replaced,
  };
  return new Proxy(sql, {
    apply,
    get: (target, name) =>
      Object.hasOwn(properties, name) ? properties[name] : Reflect.get(target, name),
  });
}

/** Returns an error with the driver's code for a lost connection. */
export function closedError(message: string): Error {
  return Object.assign(new Error(message), { code: "CONNECTION_CLOSED" });
}
