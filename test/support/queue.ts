/** Sends messages to a queue. The service itself sends them by functions of the database. */
import type { Sql } from "../../src/db/connect.ts";

/** Sends a message, for an account or for none. @returns its msg_id */
export async function send(
  sql: Sql,
  { queue, message, account_id }: { queue: string; message: object; account_id?: number },
): Promise<number> {
  const [row] = await sql<[{ msg_id: number }]>`
    select pgmq.send(${queue}, ${sql.json(message as never)}, headers_of(${
    account_id ?? null
  })) as msg_id
  `;
  return row.msg_id;
}
