/**
 * Retries statements that write the dataset. Writers wait for each other, so a statement can fail
 * to get its lock.
 */
import type { Sql } from "../../db/connect.ts";
import type { Statement } from "../../db/sql.ts";
import { hasSqlState } from "../../db/failure.ts";

/**
 * SQLSTATE codes: another writer held a lock for longer than lock_timeout, or the two deadlocked.
 */
const LOST_LOCK_STATES = ["55P03", "40P01"];
const ATTEMPTS = 5;

/**
 * Runs a statement. Repeats it if it lost a lock to another writer, up to five attempts in total. A
 * statement that lost a lock has written nothing.
 * @param write one statement
 * @throws the error of the last attempt; any other error at once
 */
export async function retryOnLock<Written>(write: () => Promise<Written>): Promise<Written> {
  for (let attempt = 1;; attempt++) {
    try {
      return await write();
    } catch (error) {
      const lostLock = LOST_LOCK_STATES.some((code) => hasSqlState(error, code));
      if (attempt === ATTEMPTS || !lostLock) throw error;
    }
  }
}

/**
 * Calls a database function that writes, with the retries of retryOnLock(). Returns the function's
 * value.
 */
export async function callWriter<Value>(sql: Sql, call: Statement<unknown>): Promise<Value> {
  const [row] = await retryOnLock(() => sql<[{ value: Value }]>`select ${call} as value`);
  return row.value;
}
