import { type Duplex, Stream } from "node:stream";
import type { Metrics } from "../metrics.ts";
import type { Sql } from "./sql.ts";
import {
  closedError,
  createOutcome,
  type DriverOptions,
  type DriverQuery,
  type Execute,
  executeOf,
  intercept,
  openDriver,
} from "./driver.ts";
import { Deadlines } from "./deadlines.ts";
import { toFailure } from "./failure.ts";
import { Semaphore } from "./semaphore.ts";
import { type StatementWatch, watchStatement } from "./statement_watch.ts";
import { beginOn } from "./transaction.ts";

export interface PoolOptions extends DriverOptions {
  connections: number;
  /** Max seconds that a statement may wait for a free connection. */
  wait_seconds: number;
  /** Max seconds for a statement on its connection. After that, the connection is thrown away. */
  deadline_seconds: number;
  /**
   * Max seconds for which the connection of a transaction may transfer nothing. After that, the
   * connection is thrown away.
   */
  silence_seconds: number;
  /** Metrics that receive the duration of each statement. */
  metrics?: Pick<Metrics, "statementEnded">;
}

export interface Pool {
  /**
   * SQL of the driver with time-outs. Every statement ends in time, with its result or an error. A
   * transaction may take longer, as long as its connection transfers data. If a retry may help, the
   * error is the Failure `unavailable`. Its `cause` is the driver's own error.
   */
  sql: Sql;
  close(): Promise<void>;
}

/** Seconds that statements under way have to finish when the pool is closed. */
const FINISH_SECONDS = 5;

/** Error of a statement whose answer did not come in time. */
class DeadlineError extends Error {
  override name = "DeadlineError";
  readonly code = "DEADLINE";
}

/** Error of a statement that was never sent, because no connection became free in time. */
class PoolExhaustedError extends Error {
  override name = "PoolExhaustedError";
  readonly code = "POOL_EXHAUSTED";
}

/** One connection. It has a separate driver, so that its socket is known. */
interface Slot {
  sql: Sql;
  execute: Execute;
  socket?: Duplex & { setTimeout?(milliseconds: number): void };
}

/**
 * Opens a pool of drivers with one connection each. The driver's own pool cannot tell on which
 * socket a query hangs, and cannot withdraw a waiting query without losing a connection. A
 * connection carries one statement at a time, so a slow statement delays no other.
 * @throws Error if the first connection cannot be made
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
  const semaphore = new Semaphore(
    [...Array.from({ length: options.connections - 1 }, open), first],
    () => new PoolExhaustedError("No connection to the database became free in time."),
  );
  // A slot never gets a second socket. Otherwise the driver would reconnect without a pause, and
  // might send a statement over the lost socket.
  const take = async () => {
    const slot = await semaphore.take(options.wait_seconds);
    if (!slot.socket?.destroyed) return slot;
    slots.delete(slot);
    void closeSlot(slot, 0);
    return open();
  };
  /** Gives back a slot, or a new slot in its place if its connection cannot be used any more. */
  const giveBack = (slot: Slot, sound: boolean) => {
    if (sound) return semaphore.giveBack(slot);
    slots.delete(slot);
    void closeSlot(slot, 0);
    semaphore.giveBack(open());
  };

  const deadlines = new Deadlines<Flight>(options.deadline_seconds, (flight) => {
    abandon(flight);
    // The idle connections are probably half-open too. On each, another statement would wait for
    // its deadline.
    for (const idle of semaphore.idle) idle.socket?.destroy();
  });
  const send = (slot: Slot, query: DriverQuery, watch?: StatementWatch) => {
    watch?.sent();
    runOn({ slot, query, watch, isLate: false }, deadlines, giveBack);
  };
  const sendLater = async (query: DriverQuery, watch?: StatementWatch) => {
    try {
      send(await take(), query, watch);
    } catch (error) {
      watch?.ended(error);
      query.reject(error);
    }
  };
  const execute = (query: DriverQuery) => {
    const watch = watchStatement(options.metrics, query);
    const slot = semaphore.takeIdle((idle) => !idle.socket?.destroyed);
    if (slot === undefined) void sendLater(query, watch);
    else send(slot, query, watch);
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
    const idle = new Set(semaphore.close());
    const closing = [...slots].map((slot) =>
      closeSlot(slot, idle.has(slot) ? 0.5 : FINISH_SECONDS)
    );
    await Promise.all([...closing, template.end({ timeout: 0 })]);
    deadlines.close();
  };
  const reserve = () =>
    Promise.reject(new Error("Use begin: a reserved connection has no deadline."));
  return { sql: intercept(template, execute, { begin, reserve, end: close }), close };
}

/** Opens and connects the first slot. The driver learns the array types from its first query. */
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
    // The template's parsed options make all drivers share the learned types.
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
  const outcome = createOutcome(query, (error) => error);
  const deadlines = new Deadlines(options.deadline_seconds, abandon);
  runOn({ slot, query, isLate: false }, deadlines, () => {});
  try {
    await outcome;
  } finally {
    deadlines.close();
  }
}

/** A statement on its connection. */
interface Flight {
  slot: Slot;
  query: DriverQuery;
  watch?: StatementWatch;
  /** True if its deadline came before its answer. */
  isLate: boolean;
}

/**
 * Runs a query. Calls `end` exactly once, when the query has ended or its deadline has passed.
 * `sound` is true if the connection can be used again.
 */
function runOn(
  flight: Flight,
  deadlines: Deadlines<Flight>,
  end: (slot: Slot, sound: boolean) => void,
): void {
  const { slot, query, watch } = flight;
  const isSound = () => !flight.isLate && !slot.socket?.destroyed;
  const answered = (result: unknown) => {
    deadlines.delete(flight);
    watch?.ended();
    // The rows of a COPY follow the answer over the same connection.
    if (result instanceof Stream) return result.once("close", () => end(slot, isSound()));
    end(slot, isSound());
  };
  const failed = (error: unknown) => {
    deadlines.delete(flight);
    // The query itself rejects with the error.
    watch?.ended(error);
    end(slot, isSound());
  };
  deadlines.add(flight);
  slot.execute(query);
  query.outcome!.then(answered, failed);
}

/** Ends a statement whose answer did not come in time. */
function abandon(flight: Flight): void {
  const error = new DeadlineError("The database did not answer in time.");
  flight.isLate = true;
  flight.slot.socket?.destroy(error);
  flight.query.reject(error);
}

/**
 * Runs a transaction. Its statements may be slow, so they have no deadline. Only a connection that
 * transfers nothing for too long is closed.
 */
async function transact(slot: Slot, args: unknown[], options: PoolOptions): Promise<unknown> {
  await connectSlot(slot, options);
  const socket = slot.socket!;
  const fallSilent = () =>
    socket.destroy(new DeadlineError("The connection transferred nothing for too long."));
  socket.setTimeout?.(options.silence_seconds * 1000);
  socket.on("timeout", fallSilent);
  try {
    return await beginOn(slot.sql, socket, args);
  } finally {
    socket.setTimeout?.(0);
    socket.off("timeout", fallSilent);
  }
}

async function closeSlot(slot: Slot, timeout: number): Promise<void> {
  await slot.sql.end({ timeout });
  slot.socket?.destroy();
}
