/** Checks whether an index can continue to follow a dataset, or has another history. */
import { hash } from "node:crypto";
import { COUNTRIES, DEMAND_CLASSES, KINDS, SECTOR_CODES } from "../../contract/vocabulary.ts";
import type { Sql } from "../../db/sql.ts";
import type { ChangePosition } from "./changes.ts";

/** Dataset and vocabulary of a saved index, and the position up to which it contains changes. */
export interface SnapshotOrigin extends ChangePosition {
  /** Digest of the vocabulary: see VOCABULARY. */
  vocabulary: string;
  dataset_id: string;
  /** Clock of the dataset (its `change_seq`) up to which all commits were followed. */
  clock: number;
}

/** State of a dataset's clock at one moment. */
export interface Clock {
  dataset_id: string;
  change_seq: number;
  /** The database's time, in the form that contract/instant.ts describes. */
  now: string;
}

/** Reads the clock of the dataset. */
export async function readClock(sql: Sql): Promise<Clock> {
  const [clock] = await sql<[Clock]>`
    select
      dataset_id,
      change_seq,
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now
    from dataset_clock
  `;
  return clock;
}

/** Returns whether a clock continues a history. A restored backup or failover lowers it. */
export function isOfHistory(
  followed: Pick<SnapshotOrigin, "dataset_id" | "clock">,
  clock: Clock,
): boolean {
  return followed.dataset_id === clock.dataset_id && followed.clock <= clock.change_seq;
}

/**
 * Version of the analysis of records: words, stems, impacts, phrases of written.tsv, and facet terms
 * with their lists. Raise it with each change, so that indexes, also of clusters, are built anew.
 */
const ANALYSIS = 14;

/** Digest of the vocabularies, and of the version of the analysis, on which an index depends. */
export const VOCABULARY = hash(
  "sha256",
  JSON.stringify([COUNTRIES, DEMAND_CLASSES, KINDS, SECTOR_CODES, ANALYSIS]),
);

/** Returns the reason why a saved index cannot be continued; undefined if it can. */
export async function whyStale(
  sql: Sql,
  origin: SnapshotOrigin,
  clock: Clock,
): Promise<string | undefined> {
  if (origin.vocabulary !== VOCABULARY) return "it was built with another vocabulary";
  if (origin.dataset_id !== clock.dataset_id) return "it belongs to another dataset";
  if (!isOfHistory(origin, clock)) return "the dataset has returned to an earlier state";
  // Writers only raise the number of a row. It falls, or the row disappears, if a backup is restored,
  // a failover loses commits, or rows are deleted (remove_demo).
  const rows = await sql`
    select from observations where id = ${origin.id} and change_seq >= ${origin.change_seq}
  `;
  if (origin.change_seq > 0 && rows.length === 0) {
    return "the dataset has returned to an earlier state, and has changed since";
  }
}
