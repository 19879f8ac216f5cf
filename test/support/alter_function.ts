/** Settings of SQL functions, for tests that need a phase to give up early. */
import type { Sql } from "../../src/db/connect.ts";

/**
 * Alters the function that processes of this version call. One of the last version may have the same
 * name with fewer parameters.
 */
export async function alterFunction(sql: Sql, name: string, change: string): Promise<void> {
  const [row] = await sql<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where proname = ${name} order by pronargs desc limit 1
  `;
  await sql.unsafe(`alter function ${row!.signature} ${change}`);
}
