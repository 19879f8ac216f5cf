/** Sends, reads and ends messages of the pgmq queues. */
import type { Sql } from "./sql.ts";

/** Name of the queue of operations to perform. Its messages are `{operation_id}`. */
export const OPERATIONS_QUEUE = "operations";

/**
 * Name of the queue of hostnames to request from a source. Its messages are `{source, hostname}`.
 */
export const REFRESHES_QUEUE = "refreshes";

/** Names of all queues of the service, which `migrate` creates. */
export const QUEUES = [OPERATIONS_QUEUE, REFRESHES_QUEUE] as const;

type QueueName = (typeof QUEUES)[number];

/** A message, with the column names of pgmq. */
export interface QueueMessage {
  msg_id: number;
  /** Number of reads of the message, including this one. */
  read_ct: number;
  message: unknown;
}

/**
 * Reads the next visible message, and hides it for `visibility_seconds`. Accounts take turns: an
 * account with many messages does not delay those of others.
 */
export async function readInTurn(
  sql: Sql,
  { queue, visibility_seconds }: { queue: QueueName; visibility_seconds: number },
): Promise<QueueMessage | undefined> {
  const [message] = await sql<QueueMessage[]>`
    select msg_id, read_ct, message
    from read_in_turn(${queue}, ${visibility_seconds}::integer)
    where msg_id is not null
  `;
  return message;
}

/** Hides a message for a time from now on; 0 shows it. @returns false if it no longer exists */
export async function setVisibility(
  sql: Sql,
  { queue, msg_id, visibility_seconds }: {
    queue: QueueName;
    msg_id: number;
    visibility_seconds: number;
  },
): Promise<boolean> {
  const rows = await sql`
    select from pgmq.set_vt(${queue}, ${msg_id}::bigint, ${visibility_seconds}::integer)
    where msg_id is not null
  `;
  return rows.length > 0;
}

/**
 * Gives back a message whose work was interrupted by the database or by a stop. The read of the
 * message by this process no longer counts. The message becomes visible after `visibility_seconds`,
 * unless another process has read it since. The call may be repeated after a lost answer.
 */
export async function giveBack(
  sql: Sql,
  { queue, msg_id, read_ct, visibility_seconds }: {
    queue: QueueName;
    msg_id: number;
    /** Read count of the message when this process read it. */
    read_ct: number;
    visibility_seconds: number;
  },
): Promise<void> {
  await sql`
    update ${sql(`pgmq.q_${queue}`)} set
      read_ct = read_ct - 1,
      vt = case when read_ct = ${read_ct}
        then clock_timestamp() + make_interval(secs => ${visibility_seconds})
        else vt
      end
    where msg_id = ${msg_id} and read_ct >= ${read_ct}
  `;
}

/** Deletes a message. @returns false if it no longer exists */
export async function remove(sql: Sql, queue: QueueName, msg_id: number): Promise<boolean> {
  const [row] = await sql<[{ done: boolean }]>`
    select pgmq.delete(${queue}, ${msg_id}::bigint) as done
  `;
  return row.done;
}

/** Archives a poison message for the operator. @returns false if it no longer exists */
export async function archive(sql: Sql, queue: QueueName, msg_id: number): Promise<boolean> {
  const [row] = await sql<[{ done: boolean }]>`
    select pgmq.archive(${queue}, ${msg_id}::bigint) as done
  `;
  return row.done;
}

/** Returns the number of visible messages, and the age of the oldest message in seconds or null. */
export async function readMetrics(
  sql: Sql,
  queue: QueueName,
): Promise<{ queue_visible_length: number; oldest_msg_age_sec: number | null }> {
  const [row] = await sql<[{ queue_visible_length: number; oldest_msg_age_sec: number | null }]>`
    select queue_visible_length, oldest_msg_age_sec from pgmq.metrics(${queue})
  `;
  return row;
}
