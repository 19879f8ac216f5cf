import type { Sql } from "./sql.ts";

/** Messages name operations to perform: `{operation_id}`. */
export const OPERATIONS_QUEUE = "operations";

/** Messages name a hostname and a source to ask for it: `{source, hostname}`. */
export const REFRESHES_QUEUE = "refreshes";

/** Every queue of the service; `migrate` creates them. */
export const QUEUES = [OPERATIONS_QUEUE, REFRESHES_QUEUE] as const;

type QueueName = (typeof QUEUES)[number];

/** A message as it was read; pgmq's own names. */
export interface QueueMessage {
  msg_id: number;
  /** Number of times it has been read, this time included. */
  read_ct: number;
  enqueued_at: Date;
  /** It is invisible to other readers until then. */
  vt: Date;
  message: unknown;
}

interface QueueMetrics {
  /** Messages in the queue, those that are being worked on included. */
  queue_length: number;
  queue_visible_length: number;
  /** Null when the queue is empty. */
  oldest_msg_age_sec: number | null;
  newest_msg_age_sec: number | null;
  /** Ever sent. */
  total_messages: number;
}

/** Puts a message into the queue. @returns its msg_id */
export async function send(
  sql: Sql,
  { queue, message, delay_seconds = 0 }: {
    queue: QueueName;
    message: object;
    delay_seconds?: number;
  },
): Promise<number> {
  const [row] = await sql<[{ msg_id: number }]>`
    select pgmq.send(${queue}, ${sql.json(message as never)}, ${delay_seconds}::integer) as msg_id
  `;
  return row.msg_id;
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
    select msg_id, read_ct, enqueued_at, vt, message
    from pgmq.read(${queue}, ${visibility_seconds}::integer, ${quantity}::integer)
  `;
  return [...rows];
}

/** Hides a message for so long from now on; 0 shows it at once. False when it is gone. */
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
 * Gives a message back whose work the database or a stop interrupted. Its read no longer counts, and
 * it is visible after so many seconds, unless another process has read it since. Calling it again
 * after a lost answer is harmless.
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

/** Removes a message for good. False when it is gone already. */
export async function remove(sql: Sql, queue: QueueName, msg_id: number): Promise<boolean> {
  const [row] = await sql<[{ done: boolean }]>`
    select pgmq.delete(${queue}, ${msg_id}::bigint) as done
  `;
  return row.done;
}

/** Puts a poisonous message aside for the operator. False when it is gone already. */
export async function archive(sql: Sql, queue: QueueName, msg_id: number): Promise<boolean> {
  const [row] = await sql<[{ done: boolean }]>`
    select pgmq.archive(${queue}, ${msg_id}::bigint) as done
  `;
  return row.done;
}

export async function readMetrics(sql: Sql, queue: QueueName): Promise<QueueMetrics> {
  const [row] = await sql<[QueueMetrics]>`
    select
      queue_length,
      queue_visible_length,
      oldest_msg_age_sec,
      newest_msg_age_sec,
      total_messages
    from pgmq.metrics(${queue})
  `;
  return row;
}
