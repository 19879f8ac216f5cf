/**
 * Performs background work. A queued message names an operation. The process that leases the
 * operation performs it. The sweep queues operations whose process has died or takes longer than its
 * lease, and expires overdue operations.
 */
import { isAnswerLost, isUnavailable } from "../db/failure.ts";
import { defectFields, unitFields } from "../log.ts";
import { repeat } from "../repeat.ts";
import type { MeteredAction } from "./action.ts";
import { type Lease, OPERATION_LEASE_SECONDS } from "./claim.ts";
import { endOf, performAndSettle, type RunContext } from "./run.ts";

/** Metered actions by name. */
export type MeteredActions = ReadonlyMap<string, MeteredAction>;

/** Takes a message, and performs its operation. Returns the number of taken messages. */
export async function drain(context: RunContext, actions: MeteredActions): Promise<number> {
  const token = crypto.randomUUID();
  const taken = await take(context, token);
  if (taken === null) return 0;
  await performTaken(context, actions, taken, token);
  return 1;
}

/** A message that was read. `take_operation` documents the outcomes. */
type Taken =
  & { message_id: number; read_ct: number }
  & (
    | { outcome: "unknown"; operation_id: null }
    | { outcome: "busy" | "expired" | "poison"; operation_id: number }
    | Omit<Lease, "token"> & {
      outcome: "leased";
      account_id: number;
      action: string;
      inputs: object;
    }
  );

/**
 * Reads a message and leases its operation in one statement. If the statement fails, both are
 * undone.
 */
async function take({ sql, now, returns }: RunContext, token: string): Promise<Taken | null> {
  try {
    const [row] = await sql<{ taken: Taken | null }[]>`
      select take_operation(${token}, ${OPERATION_LEASE_SECONDS}, ${now?.() ?? null}) as taken
    `;
    return row!.taken;
  } catch (error) {
    if (isAnswerLost(error)) void returns.giveBack(token, "unseen");
    throw error;
  }
}

async function performTaken(
  context: RunContext,
  actions: MeteredActions,
  taken: Taken,
  token: string,
): Promise<void> {
  const { log } = context;
  const { message_id, read_ct, operation_id } = taken;
  if (taken.outcome === "unknown") {
    return log.error("message archived: it names no unfinished operation", { message_id });
  }
  if (taken.outcome === "poison") {
    return log.error("operation failed: its message was read too often", { operation_id, read_ct });
  }
  if (taken.outcome !== "leased") return;
  const { account_id: account, inputs } = taken;
  const lease: Lease = { operation_id: taken.operation_id, token, frozen: taken.frozen };
  const action = actions.get(taken.action);
  if (!action?.ready()) {
    // During an upgrade, a replica of the next version may know the action.
    const reason = action === undefined ? "unknown action" : "its action is not ready";
    log.warn(`background operation given back: ${reason}`, { operation_id });
    return await context.returns.giveBack(token, "unavailable");
  }
  try {
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
  /** Number of operations with an expired lease that were sent to the queue. */
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
  /** Ends the loops. The promise then resolves as soon as work in progress has ended. */
  stopping: AbortSignal;
}

/**
 * Milliseconds between two polls for messages. Background work thus begins long before its caller
 * polls for the first time, which is after a second (`Retry-After`).
 */
const POLL_MS = 250;
/**
 * Milliseconds between two sweeps. This is well below the duration of a lease, so that the work of
 * a dead process continues soon after its lease has ended.
 */
const SWEEP_MS = 5_000;

/**
 * Runs `workers` drain loops and the sweep loop. The sweep takes no messages, and every process runs
 * it.
 */
export async function consume(
  context: RunContext,
  actions: MeteredActions,
  { workers, retention_days, stopping: signal }: ConsumerOptions,
): Promise<void> {
  const draining = async () => await drain(context, actions) > 0;
  const sweeping = async () => {
    const { expired, taken_over, retired } = await sweep(context, retention_days);
    context.metrics?.leasesExpired(taken_over);
    if (expired + taken_over + retired > 0) {
      context.log.info("operations swept", { expired, taken_over, retired });
    }
    return Math.max(expired, taken_over, retired) === SWEEP_MAX;
  };
  await Promise.all([
    ...Array.from(
      { length: workers },
      () => repeat(context.log, draining, { pauseMs: POLL_MS, signal, name: "worker" }),
    ),
    repeat(context.log, sweeping, { pauseMs: SWEEP_MS, signal, name: "sweep" }),
  ]);
}
