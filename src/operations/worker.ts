/**
 * Background work and recovery. Messages name operations; whoever leases one performs it. The sweep
 * takes over what dead processes left and expires what is overdue.
 */
import { archive, OPERATIONS_QUEUE, read } from "../db/queue.ts";
import { errorFields } from "../log.ts";
import type { MeteredAction } from "./action.ts";
import { type Claimed, LEASE_SECONDS } from "./claim.ts";
import { perform, type RunContext } from "./run.ts";

export type Actions = ReadonlyMap<string, MeteredAction>;

/** Takes at most `most` messages and does what they ask. @returns how many were taken */
export async function drain(context: RunContext, actions: Actions, most = 1): Promise<number> {
  const messages = await read(context.sql, {
    queue: OPERATIONS_QUEUE,
    visibility_seconds: LEASE_SECONDS,
    quantity: most,
  });
  for (const message of messages) {
    const { operation_id } = message.message as { operation_id?: unknown };
    if (!Number.isSafeInteger(operation_id)) {
      context.log.error("message without an operation archived", { message_id: message.msg_id });
      await archive(context.sql, OPERATIONS_QUEUE, message.msg_id);
      continue;
    }
    await performMessage(context, actions, { ...message, operation_id: operation_id as number });
  }
  return messages.length;
}

interface OperationMessage {
  msg_id: number;
  read_ct: number;
  operation_id: number;
}

async function performMessage(
  context: RunContext,
  actions: Actions,
  { msg_id, read_ct, operation_id }: OperationMessage,
): Promise<void> {
  const token = crypto.randomUUID();
  const [row] = await context.sql<{ leased: Leased }[]>`
    select lease_operation(
      ${msg_id},
      ${read_ct},
      ${operation_id},
      ${token},
      ${LEASE_SECONDS},
      ${context.now?.() ?? null}
    ) as leased
  `;
  const leased = row!.leased;
  if (leased.outcome === "poison") {
    context.log.error("operation failed: its message was read too often", {
      operation_id,
      read_ct,
    });
  }
  if (leased.outcome !== "leased") return;
  const action = actions.get(leased.action);
  if (action === undefined) {
    throw new Error(`an operation names an unknown action: ${leased.action}`);
  }
  try {
    const lease = { operation_id, token, frozen: leased.shortlist };
    await perform(context, { action, lease, inputs: leased.inputs, caller: null });
    context.log.info("background operation finished", { operation_id, read_ct });
  } catch (error) {
    context.log.error("background operation given back", {
      operation_id,
      read_ct,
      ...errorFields(error),
    });
  }
}

type Leased =
  | { outcome: "busy" | "finished" | "poison" }
  | Claimed & { outcome: "leased"; action: string; inputs: object };

export interface Sweep {
  /** Not finished by their deadline. */
  expired: number;
  /** Left by a dead process, sent to the queue. */
  taken_over: number;
  /** Delivered longer ago than results are kept. */
  retired: number;
}

/** At most so many of each kind in one statement, to keep its locks short. */
export const SWEEP_MOST = 200;

export async function sweep(
  context: Pick<RunContext, "sql" | "now">,
  retentionDays: number,
): Promise<Sweep> {
  const [row] = await context.sql<{ sweep: Sweep }[]>`
    select sweep_operations(${retentionDays}, ${SWEEP_MOST}, ${context.now?.() ?? null}) as sweep
  `;
  return row!.sweep;
}
