import { type Duplex, Stream } from "node:stream";
import type { Metrics } from "../metrics.ts";
import type { Sql } from "./sql.ts";
import {
  closedError,
  type DriverOptions,
  type DriverQuery,
  type Execute,
  executeOf,
  intercept,
  openDriver,
} from "./driver.ts";
import { toFailure } from "./failure.ts";
import { createQueue } from "./pool_queue.ts";
import { StatementWatch } from "./statement_watch.ts";
import { beginOn } from "./transaction.ts";

export interface PoolOptions extends DriverOptions {
  connections: number;
  /** How long a statement may wait for a free connection. */
  wait_seconds: number;
  /** How long a statement may then take until its connection is thrown away. */
  deadline_seconds: number;
  /** How long the connection of a transaction may be silent until it is thrown away. */
  silence_seconds: number;
  /** Times statements. */
  metrics?: Pick<Metrics, "statementEnded">;
}

export interface Pool {
  /**
   * As the driver's, except that every call ends: with its result or, in time, with an error. What
   * trying again may remedy is the `Failure` unavailable; its `cause` is the driver's own error.
   */
  sql: Sql;
  close(): Promise<void>;
}

/** What statements under way are given when the pool is closed. */
const FINISH_SECONDS = 5;

/** Error of a statement whose answer did not come in time. */
export class DeadlineError extends Error {
  override name = "DeadlineError";
  readonly code = "DEADLINE";
}

/** Error of a statement that was never sent, because no connection became free in time. */
export class PoolExhaustedError extends Error {
  override name = "PoolExhaustedError";
  readonly code = "POOL_EXHAUSTED";
}

/** One connection: a driver of its own, so that it is known whose socket it is. */
interface Slot {
  sql: Sql;
  execute: Execute;
  socket?: Duplex & { setTimeout?(milliseconds: number): void };
}

/**
 * The driver's own pool can neither tell which of its sockets a query hangs on nor take a waiting
 * query back without losing a connection, so this one hands each query to a driver with a single
 * connection. A connection carries one statement at a time: a slow one holds up no other.
 * Fails when the first connection cannot be made.
 */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const template = openDriver(options);
  const first = await openFirstSlot(template, options);
  const slots = new Set<Slot>([first]);
  const open = () => {
    const slot = openSlot(template, options);
    slots.add(slot);
    return slot;
  };
  const queue = createQueue(
    [...Array.from({ length: options.connections - 1 }, open), first],
    () => new PoolExhaustedError("No connection to the database became free in time."),
  );
  // A slot has one socket in its life: the driver, left to connect again, does so without a pause
  // and may put a statement on the socket that has just gone.
  const take = async () => {
    const slot = await queue.take(options.wait_seconds);
    if (!slot.socket?.destroyed) return slot;
    slots.delete(slot);
    void closeSlot(slot, 0);
    return open();
  };
  /** A driver that has lost its connection in the middle of something is not to be trusted. */
  const giveBack = (slot: Slot, sound: boolean) => {
    if (sound) return queue.giveBack(slot);
    slots.delete(slot);
    void closeSlot(slot, 0);
    queue.giveBack(open());
  };

  const execute = async (query: DriverQuery) => {
    const watch = options.metrics && new StatementWatch(options.metrics);
    try {
      const slot = await take();
      watch?.sent();
      const sound = await runOn(slot, query, options.deadline_seconds, () => {
        // Where one connection is half-open the others are: each would cost a deadline of its own.
        for (const idle of queue.idle()) idle.socket?.destroy();
      }, watch);
      giveBack(slot, sound);
    } catch (error) {
      watch?.ended(error);
      query.reject(error);
    }
  };
  const begin = async (...args: unknown[]) => {
    let slot: Slot | undefined;
    try {
      slot = await take();
      return await transact(slot, args, options);
    } catch (error) {
      throw toFailure(error);
    } finally {
      if (slot) giveBack(slot, slot.socket !== undefined && !slot.socket.destroyed);
    }
  };
  const close = async () => {
    const idle = new Set(queue.close());
    const closing = [...slots].map((slot) =>
      closeSlot(slot, idle.has(slot) ? 0.5 : FINISH_SECONDS)
    );
    await Promise.all([...closing, template.end({ timeout: 0 })]);
  };
  const reserve = () => Promise.reject(new Error("Use begin: what is reserved has no deadline."));
  return { sql: intercept(template, execute, { begin, reserve, end: close }), close };
}

/** Connected at once: the driver knows no array types until a first query has been answered. */
async function openFirstSlot(template: Sql, options: PoolOptions): Promise<Slot> {
  const slot = openSlot(template, options, { fetch_types: true });
  try {
    await connectSlot(slot, options);
  } catch (error) {
    await closeSlot(slot, 0);
    throw error;
  }
  return slot;
}

function openSlot(template: Sql, options: PoolOptions, { fetch_types = false } = {}): Slot {
  const slot: Partial<Slot> = {};
  slot.sql = openDriver({
    // The options as the template has read them: drivers share what one has learned of types.
    settings: { ...template.options, fetch_types },
    openSocket: (target) => {
      if (slot.socket) throw closedError("The connection is gone.");
      return slot.socket = options.openSocket(target);
    },
  });
  slot.execute = executeOf(slot.sql);
  return slot as Slot;
}

async function connectSlot(slot: Slot, options: PoolOptions): Promise<void> {
  const query = slot.sql`select` as unknown as DriverQuery;
  // Run once, by runOn: awaiting a query runs it by its handler.
  query.handler = () => {};
  await runOn(slot, query, options.deadline_seconds);
  await query;
}

/**
 * Runs the query and settles, in time and always well, once the query has. Answers whether the
 * connection is good for more.
 */
async function runOn(
  slot: Slot,
  query: DriverQuery,
  deadline_seconds: number,
  onDeadline = () => {},
  watch?: StatementWatch,
): Promise<boolean> {
  if (query.cursorFn) {
    query.reject(new Error("Read in pages: a cursor has no deadline."));
    return true;
  }
  let sound = true;
  const timer = setTimeout(() => {
    sound = false;
    const error = new DeadlineError("The database did not answer in time.");
    slot.socket?.destroy(error);
    query.reject(error);
    onDeadline();
  }, deadline_seconds * 1000);
  slot.execute(query);
  try {
    const result = await query;
    clearTimeout(timer);
    watch?.ended();
    // The rows of a COPY go over the connection after the query has been answered.
    if (result instanceof Stream) await new Promise((resolve) => result.once("close", resolve));
  } catch (error) {
    // The caller gets it from the query itself.
    watch?.ended(error);
  } finally {
    clearTimeout(timer);
  }
  return sound && !slot.socket?.destroyed;
}

/** A statement of a transaction may be slow, so what is watched is whether anything moves at all. */
async function transact(slot: Slot, args: unknown[], options: PoolOptions): Promise<unknown> {
  await connectSlot(slot, options);
  const socket = slot.socket!;
  const abandon = () => socket.destroy(new DeadlineError("The database fell silent."));
  socket.setTimeout?.(options.silence_seconds * 1000);
  socket.on("timeout", abandon);
  try {
    return await beginOn(slot.sql, socket, args);
  } finally {
    socket.setTimeout?.(0);
    socket.off("timeout", abandon);
  }
}

async function closeSlot(slot: Slot, timeout: number): Promise<void> {
  await slot.sql.end({ timeout });
  slot.socket?.destroy();
}
