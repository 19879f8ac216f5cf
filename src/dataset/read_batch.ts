/** Combines unmetered reads by id that arrive at the same moment into one statement. */
import { Batch } from "../db/batch.ts";
import type { Sql } from "../db/sql.ts";
import type { Caller, Context } from "../operations/action.ts";
import type { Refusal } from "../operations/answer.ts";

/** A read of one caller. */
interface IdRead {
  context: Context;
  caller: Caller;
  id: number;
  /** True if the bodies of observations are requested as well. */
  bodies: boolean;
}

/** Reads of one statement, as parallel lists. */
interface IdReads {
  /** SHA-256 of the callers' keys, in hexadecimal. */
  key_hashes: string[];
  ids: number[];
  /** 1 if bodies are requested, otherwise 0, because the driver has no lists of booleans. */
  bodies: number[];
  /** Time of the reads; null for the database's clock. */
  now: Date | null;
}

/**
 * Returns a function that answers one read.
 * @param select queries the database, and returns a row for each read in their order
 */
export function readInBatches<Found>(
  select: (sql: Sql, reads: IdReads) => PromiseLike<{ answer: Found | Refusal }[]>,
): (read: IdRead) => Promise<Found | Refusal> {
  const batch = new Batch(async (asked: IdRead[]) => {
    const { sql, now } = asked[0]!.context;
    const rows = await select(sql, {
      key_hashes: asked.map(({ caller }) => caller.key_hash.toHex()),
      ids: asked.map(({ id }) => id),
      bodies: asked.map(({ bodies }) => Number(bodies)),
      now: now?.() ?? null,
    });
    return rows.map(({ answer }) => answer);
  });
  return (read) => batch.call(read);
}
