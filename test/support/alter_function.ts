/** Changes settings of SQL functions, for tests in which a function has to time out early. */
import type { Sql } from "../../src/db/connect.ts";

/**
 * Alters the function that processes of this version call. The function of the same name with fewer
 * parameters is for processes of the previous version.
 * @param change rest of the `alter function` statement
 */
export async function alterFunction(sql: Sql, name: string, change: string): Promise<void> {
  const [row] = await sql<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where proname = ${name} order by pronargs desc limit 1
  `;
  await sql.unsafe(`alter function ${row!.signature} ${change}`);
}
