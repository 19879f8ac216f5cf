import type { Sql } from "./sql.ts";

/** Messages name operations to perform: `{operation_id}`. */
export const OPERATIONS_QUEUE = "operations";

/** Messages name a hostname and a source to ask for it: `{source, hostname}`. */
export const REFRESHES_QUEUE = "refreshes";

/** Every queue of the service; `migrate` creates them. */
export const QUEUES = [OPERATIONS_QUEUE, REFRESHES_QUEUE] as const;

type QueueName = (typeof QUEUES)[number];

/** A message with the names of pgmq. */
export interface QueueMessage {
  msg_id: number;
  /** Number of times that it has been read, including this time. */
  read_ct: number;
  message: unknown;
}

/** Takes up to `quantity` visible messages, oldest first, and hides them for a while. */
export async function read(
  sql: Sql,
  { queue, visibility_seconds, quantity }: {
    queue: QueueName;
    visibility_seconds: number;
    quantity: number;
  },
): Promise<QueueMessage[]> {
  const rows = await sql<QueueMessage[]>`
    select msg_id, read_ct, message
    from pgmq.read(${queue}, ${visibility_seconds}::integer, ${quantity}::integer)
  `;
  return [...rows];
}

/** Hides a message for a time from now on; 0 shows it. @returns false if the message is gone */
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
 * Gives back a message whose work was interrupted by the database or a stop. Its read no longer
 * counts. It becomes visible after `visibility_seconds`, unless another process has read it since.
 * Repeating the call after a lost answer is harmless.
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

/** Deletes a message. @returns false if it is gone already */
export async function remove(sql: Sql, queue: QueueName, msg_id: number): Promise<boolean> {
  const [row] = await sql<[{ done: boolean }]>`
    select pgmq.delete(${queue}, ${msg_id}::bigint) as done
  `;
  return row.done;
}

/** Archives a poison message for the operator. @returns false if it is gone already */
export async function archive(sql: Sql, queue: QueueName, msg_id: number): Promise<boolean> {
  const [row] = await sql<[{ done: boolean }]>`
    select pgmq.archive(${queue}, ${msg_id}::bigint) as done
  `;
  return row.done;
}

/** Counts the messages that wait. The age in seconds is null if the queue is empty. */
export async function readMetrics(
  sql: Sql,
  queue: QueueName,
): Promise<{ queue_visible_length: number; oldest_msg_age_sec: number | null }> {
  const [row] = await sql<[{ queue_visible_length: number; oldest_msg_age_sec: number | null }]>`
    select queue_visible_length, oldest_msg_age_sec from pgmq.metrics(${queue})
  `;
  return row;
}
