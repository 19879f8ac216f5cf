import type { Sql } from "../../db/connect.ts";
import { joiningOf } from "./company_joining.ts";
import { callWriter } from "./retry_on_lock.ts";
import type { NormalRecord } from "./normalize.ts";

/** Outcomes of the records of a batch; the sum is the size of the batch. */
export interface RecordCounts {
  recorded: number;
  revised: number;
  unchanged: number;
}

/**
 * Records a batch in one statement: all of it or nothing. Recording it twice is harmless, so a
 * batch that lost a lock to another writer is sent again.
 */
export async function recordObservations(
  sql: Sql,
  records: readonly NormalRecord[],
): Promise<RecordCounts> {
  const batch = JSON.stringify(
    records.map((record) => ({ ...record, joining: joiningOf(record) })),
  );
  return await callWriter(sql, sql`record_observations(${batch}::text::jsonb)`);
}
