/** Makes inserts fail as if another session held a lock for too long. */
import type { Sql } from "../../src/db/connect.ts";

/** Lets inserts into a table fail. The trigger `fault` of the table is dropped to end it. */
export async function failInserts(sql: Sql, table: string): Promise<void> {
  await sql.unsafe(`
    create function fault() returns trigger language plpgsql as $$
    begin
      raise exception 'injected by a test' using errcode = '55P03';
    end $$;
    create trigger fault before insert on ${table} execute function fault();
  `);
}
