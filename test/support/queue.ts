/** Sends messages to a queue. The service itself sends them by functions of the database. */
import type { Sql } from "../../src/db/connect.ts";

/** Sends a message. @returns its msg_id */
export async function send(
  sql: Sql,
  { queue, message }: { queue: string; message: object },
): Promise<number> {
  const [row] = await sql<[{ msg_id: number }]>`
    select pgmq.send(${queue}, ${sql.json(message as never)}) as msg_id
  `;
  return row.msg_id;
}
