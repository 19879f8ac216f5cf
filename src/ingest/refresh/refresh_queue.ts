/** Reads and ends messages of the queue of hostnames to request from a source. */
import type { Sql } from "../../db/connect.ts";

/** A message, with the column names of pgmq. */
export interface RefreshMessage {
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
  visibility_seconds: number,
): Promise<RefreshMessage | undefined> {
  const [message] = await sql<RefreshMessage[]>`
    select msg_id, read_ct, message
    from read_in_turn('refreshes', ${visibility_seconds}::integer)
    where msg_id is not null
  `;
  return message;
}

/** Hides a message for a time from now on; 0 shows it. @returns false if it no longer exists */
export async function hide(sql: Sql, msg_id: number, visibility_seconds: number): Promise<boolean> {
  const rows = await sql`
    select from pgmq.set_vt('refreshes', ${msg_id}::bigint, ${visibility_seconds}::integer)
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
  { msg_id, read_ct }: Pick<RefreshMessage, "msg_id" | "read_ct">,
  visibility_seconds: number,
): Promise<void> {
  await sql`
    update pgmq.q_refreshes set
      read_ct = read_ct - 1,
      vt = case when read_ct = ${read_ct}
        then clock_timestamp() + make_interval(secs => ${visibility_seconds})
        else vt
      end
    where msg_id = ${msg_id} and read_ct >= ${read_ct}
  `;
}

/** Deletes a message. */
export async function remove(sql: Sql, msg_id: number): Promise<void> {
  await sql`select pgmq.delete('refreshes', ${msg_id}::bigint)`;
}

/** Archives a poison message for the operator. */
export async function archive(sql: Sql, msg_id: number): Promise<void> {
  await sql`select pgmq.archive('refreshes', ${msg_id}::bigint)`;
}
