import type { Sql } from "../../db/connect.ts";
import { joiningOf } from "./company_joining.ts";
import { callWriter } from "./retry_on_lock.ts";
import type { NormalRecord } from "./normalize.ts";

/** Numbers of records of a batch by outcome. Their sum is the size of the batch. */
export interface RecordCounts {
  recorded: number;
  revised: number;
  unchanged: number;
}

/**
 * Records a batch in one statement, completely or not at all. Recording a batch twice is harmless,
 * so a batch that lost a lock to another writer is sent again.
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
