/** Names and measures the pgmq queues. */
import type { Sql } from "./sql.ts";

/** Name of the queue of operations to perform. Its messages are `{operation_id}`. */
export const OPERATIONS_QUEUE = "operations";

/**
 * Names of all queues of the service, which `migrate` creates. The messages of `refreshes` are
 * `{source, hostname}`.
 */
export const QUEUES = [OPERATIONS_QUEUE, "refreshes"] as const;

/** Returns the number of visible messages, and the age of the oldest message in seconds or null. */
export async function readMetrics(
  sql: Sql,
  queue: typeof QUEUES[number],
): Promise<{ queue_visible_length: number; oldest_msg_age_sec: number | null }> {
  const [row] = await sql<[{ queue_visible_length: number; oldest_msg_age_sec: number | null }]>`
    select queue_visible_length, oldest_msg_age_sec from pgmq.metrics(${queue})
  `;
  return row;
}
