/**
 * Performs background work and recovers from dead processes. A queued message names an operation.
 * The process that leases the operation performs it. The sweep takes over operations of dead
 * processes and expires overdue operations.
 */
import { isAnswerLost, isUnavailable } from "../db/failure.ts";
import { defectFields, unitFields } from "../log.ts";
import { repeat } from "../repeat.ts";
import type { MeteredAction } from "./action.ts";
import { type Lease, OPERATION_LEASE_SECONDS } from "./claim.ts";
import { endOf, performAndSettle, type RunContext } from "./run.ts";

/** Metered actions by name. */
export type MeteredActions = ReadonlyMap<string, MeteredAction>;

/**
 * Takes at most `max` messages, one after the other, and performs their operations.
 * @returns the number of messages that were taken
 */
export async function drain(
  context: RunContext,
  actions: MeteredActions,
  max = 1,
): Promise<number> {
  for (let count = 0; count < max; count++) {
    const token = crypto.randomUUID();
    const taken = await take(context, token);
    if (taken === null) return count;
    await performTaken(context, actions, { ...taken, token });
  }
  return max;
}

/** A message that was read, and the outcome of leasing its operation. */
interface Taken {
  message_id: number;
  read_ct: number;
  /** Null for a message that names no operation. */
  operation_id: number | null;
  leased: Leased;
}

type Leased =
  | { outcome: "unreadable" | "missing" | "busy" | "postponed" | "finished" | "poison" }
  | Omit<Lease, "token"> & {
    outcome: "leased";
    account_id: number;
    action: string;
    inputs: object;
  };

/**
 * Reads a message and leases its operation in one statement. If the statement fails, both are
 * undone.
 */
async function take(context: RunContext, token: string): Promise<Taken | null> {
  try {
    const [row] = await context.sql<{ taken: Taken | null }[]>`
      select take_operation(${token}, ${OPERATION_LEASE_SECONDS}, ${
      context.now?.() ?? null
    }) as taken
    `;
    return row!.taken;
  } catch (error) {
    if (isAnswerLost(error)) {
      void context.returns.giveBack({ token, operation_id: null, reason: "unseen" });
    }
    throw error;
  }
}

async function performTaken(
  context: RunContext,
  actions: MeteredActions,
  { message_id, read_ct, operation_id, leased, token }: Taken & { token: string },
): Promise<void> {
  const { log } = context;
  switch (leased.outcome) {
    case "unreadable":
    case "missing":
      return log.error("message archived: it names no existing operation", { message_id });
    case "poison":
      return log.error("operation failed: its message was read too often", {
        operation_id,
        read_ct,
      });
    case "postponed":
      return log.warn("background operation postponed: its rows are locked", { operation_id });
    case "leased":
      break;
    default:
      return;
  }
  const { account_id: account } = leased;
  const lease = { operation_id: leased.operation_id, token, frozen: leased.frozen };
  const action = actions.get(leased.action);
  if (action === undefined) {
    // During an upgrade, a replica of the next version may know the action.
    log.error("background operation given back: unknown action", { operation_id });
    return await context.returns.giveBack({ ...lease, reason: "unavailable" });
  }
  if (!action.ready()) {
    log.warn("background operation given back: its action is not ready", { operation_id });
    return await context.returns.giveBack({ ...lease, reason: "unavailable" });
  }
  try {
    const { inputs } = leased;
    const answer = await performAndSettle(context, { action, lease, inputs, caller: null });
    const end = endOf(answer);
    context.metrics?.operation({ action: action.name, door: "background", ...end });
    log.info("background operation finished", {
      operation_id,
      account,
      read_ct,
      status: end.status,
      code: end.code,
      ...unitFields(end.units),
    });
  } catch (error) {
    const level = isUnavailable(error) ? "warn" : "error";
    context.metrics?.operation({ action: action.name, door: "background", status: "error" });
    log[level]("background operation given back", {
      operation_id,
      account,
      read_ct,
      ...defectFields(error),
    });
  }
}

interface Sweep {
  /** Number of operations that were not finished by their deadline. */
  expired: number;
  /** Number of operations of dead processes that were sent to the queue. */
  taken_over: number;
  /** Number of ended operations that are older than the retention period. */
  retired: number;
}

/**
 * Max number of operations of each kind per sweep, so that its statement holds locks only briefly.
 */
const SWEEP_MAX = 200;

/** Expires, takes over and retires operations in one statement. */
export async function sweep(
  context: Pick<RunContext, "sql" | "now">,
  retentionDays: number,
): Promise<Sweep> {
  const [row] = await context.sql<{ sweep: Sweep }[]>`
    select sweep_operations(${retentionDays}, ${SWEEP_MAX}, ${context.now?.() ?? null}) as sweep
  `;
  return row!.sweep;
}

interface ConsumerOptions {
  /** Number of messages that are processed concurrently. */
  workers: number;
  retention_days: number;
}

/** The running loops. */
export interface Consumer {
  /** Looks for messages now instead of at the next poll. */
  wake(): void;
  /** Stops taking messages and waits for those in progress. */
  stop(): Promise<void>;
}

/**
 * Milliseconds between two polls for messages of other processes. A message of this process wakes
 * the drain loops at once.
 */
const POLL_MS = 250;
/**
 * Milliseconds between two sweeps. This is well below the duration of a lease, so that the work of
 * a dead process continues soon after its lease has ended.
 */
const SWEEP_MS = 5_000;

/**
 * Starts `workers` drain loops and the sweep loop. The sweep takes no messages, and every process
 * runs it.
 */
export function startConsumer(
  context: RunContext,
  actions: MeteredActions,
  { workers, retention_days }: ConsumerOptions,
): Consumer {
  const stopping = new AbortController();
  const bell = new EventTarget();
  const loops: Promise<void>[] = [];
  const { signal } = stopping;
  for (let n = 0; n < workers; n++) {
    const step = async () => await drain(context, actions) > 0;
    loops.push(repeat(context.log, step, { pauseMs: POLL_MS, bell, signal }));
  }
  const sweeping = async () => {
    const { expired, taken_over, retired } = await sweep(context, retention_days);
    if (taken_over > 0) bell.dispatchEvent(new Event("ring"));
    context.metrics?.leasesExpired(taken_over);
    if (expired + taken_over + retired > 0) {
      context.log.info("operations swept", { expired, taken_over, retired });
    }
    return Math.max(expired, taken_over, retired) === SWEEP_MAX;
  };
  loops.push(repeat(context.log, sweeping, { pauseMs: SWEEP_MS, signal }));
  return {
    wake: () => void bell.dispatchEvent(new Event("ring")),
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
