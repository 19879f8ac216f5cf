/** Unmetered reads by id. Those of one moment share a statement. */
import { Batch } from "../db/batch.ts";
import type { Sql } from "../db/sql.ts";
import type { Caller, Context } from "../operations/action.ts";
import type { Refusal } from "../operations/answer.ts";

/** A read that one caller asks for. */
interface IdRead {
  context: Context;
  caller: Caller;
  id: number;
  /** True if the bodies of observations are wanted as well. */
  bodies: boolean;
}

/** The reads of a statement, in lists that go together by place. */
interface IdReads {
  /** SHA-256 of the callers' keys, in hexadecimal. */
  key_hashes: string[];
  ids: number[];
  /** 1 where bodies are wanted, else 0: the driver knows no lists of booleans. */
  bodies: number[];
  /** Time of the reads; null for the database's own. */
  now: Date | null;
}

/**
 * Returns a function that answers one read.
 * @param select asks the database, and returns a row for each read in their order
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
