/** Writers of the dataset go one after another, under its clock. */
import { hasSqlState } from "../../db/failure.ts";

/** Another writer held the dataset for longer than lock_timeout, or the two deadlocked. */
const WORTH_REPEATING = ["55P03", "40P01"];
const ATTEMPTS = 5;

/**
 * Writes again what lost its turn to another writer, a few times: nothing of it was written.
 * @param write one statement
 * @throws what the last attempt throws; what is no such loss, at once
 */
export async function inTurn<Written>(write: () => Promise<Written>): Promise<Written> {
  for (let attempt = 1;; attempt++) {
    try {
      return await write();
    } catch (error) {
      const lostItsTurn = WORTH_REPEATING.some((code) => hasSqlState(error, code));
      if (attempt === ATTEMPTS || !lostItsTurn) throw error;
    }
  }
}
