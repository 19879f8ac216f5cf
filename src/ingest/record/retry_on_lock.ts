/** Writers of the dataset wait for each other, so a statement can lose its lock and is retried. */
import type { PendingQuery, Row } from "postgres";
import type { Sql } from "../../db/connect.ts";
import { hasSqlState } from "../../db/failure.ts";

/** Another writer held the dataset for longer than lock_timeout, or the two deadlocked. */
const WORTH_REPEATING = ["55P03", "40P01"];
const ATTEMPTS = 5;

/**
 * Runs a statement again if it lost a lock to another writer, up to five times in all. Such a
 * statement has written nothing.
 * @param write one statement
 * @throws what the last attempt throws; any other failure at once
 */
export async function retryOnLock<Written>(write: () => Promise<Written>): Promise<Written> {
  for (let attempt = 1;; attempt++) {
    try {
      return await write();
    } catch (error) {
      const lostLock = WORTH_REPEATING.some((code) => hasSqlState(error, code));
      if (attempt === ATTEMPTS || !lostLock) throw error;
    }
  }
}

/** Calls a database function that writes, as retryOnLock() does. Returns the function's value. */
export async function callWriter<Value>(sql: Sql, call: PendingQuery<Row[]>): Promise<Value> {
  const [row] = await retryOnLock(() => sql<[{ value: Value }]>`select ${call} as value`);
  return row.value;
}
