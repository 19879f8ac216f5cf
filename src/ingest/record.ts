import type { Sql } from "../db/connect.ts";
import { hasSqlState } from "../db/failure.ts";
import type { NormalRecord } from "./normalize.ts";

/** What became of the records of a batch; the sum is the size of the batch. */
export interface RecordCounts {
  recorded: number;
  revised: number;
  unchanged: number;
}

/** Another writer held the dataset for longer than lock_timeout, or the two deadlocked. */
const WORTH_REPEATING = ["55P03", "40P01"];
const ATTEMPTS = 5;

/**
 * Records a batch in one statement: all of it or nothing. Doing so again is harmless, so a batch
 * that lost its turn to another writer is sent again.
 */
export async function recordObservations(
  sql: Sql,
  records: readonly NormalRecord[],
): Promise<RecordCounts> {
  const batch = JSON.stringify(records);
  for (let attempt = 1;; attempt++) {
    try {
      const [row] = await sql<[{ counts: RecordCounts }]>`
        select record_observations(${batch}::text::jsonb) as counts
      `;
      return row.counts;
    } catch (error) {
      const lostItsTurn = WORTH_REPEATING.some((code) => hasSqlState(error, code));
      if (attempt === ATTEMPTS || !lostItsTurn) throw error;
    }
  }
}
