/** History of a dataset that an index has followed, and the position that it has reached. */
import { createHash } from "node:crypto";
import { COUNTRIES, DEMAND_CLASSES, KINDS, SECTOR_CODES } from "../../contract/vocabulary.ts";
import type { Sql } from "../../db/sql.ts";
import { FORMAT } from "../semantics/model.ts";
import type { ChangePosition } from "./changes.ts";
import { isOfSameHistory } from "./sequence.ts";

/**
 * Dataset and vocabulary that a snapshot was made of, and the position that it had followed up to.
 */
export interface SnapshotOrigin extends ChangePosition {
  /** See history.ts. */
  vocabulary: string;
  dataset_id: string;
  clock: number;
}

/** State of a dataset's clock at one moment. */
export interface Clock {
  dataset_id: string;
  change_seq: number;
  /** The database's time, in the form of instant.ts. */
  now: string;
  /** The last semantic model; null: none has been learned. */
  model_id: number | null;
}

export async function readClock(sql: Sql): Promise<Clock> {
  const [clock] = await sql<[Clock]>`
    select
      dataset_id,
      change_seq,
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now,
      (select max(id) from semantic_models where format = ${FORMAT}) as model_id
    from dataset_clock
  `;
  return clock;
}

/**
 * Returns whether a clock continues a followed history. A clock that runs backwards is another
 * history: a restored backup, or a failover that lost commits.
 */
export function isOfHistory(
  followed: Pick<SnapshotOrigin, "dataset_id" | "clock">,
  clock: Clock,
): boolean {
  return followed.dataset_id === clock.dataset_id && followed.clock <= clock.change_seq;
}

/**
 * Version of the facet terms (facet_terms.ts). Raise it with every change to them, so that saved
 * indexes are built anew.
 */
const FACET_TERMS = 1;

/** Digest of the lists whose places an index stores: attributes, sectors and facet terms. */
export const VOCABULARY = createHash("sha256").update(JSON.stringify([
  COUNTRIES,
  DEMAND_CLASSES,
  KINDS,
  SECTOR_CODES,
  FACET_TERMS,
])).digest("hex");

/** Returns why a saved index cannot be followed on from; undefined if it can. */
export async function whyStale(
  sql: Sql,
  origin: SnapshotOrigin,
  clock: Clock,
): Promise<string | undefined> {
  if (origin.vocabulary !== VOCABULARY) return "it is made of another vocabulary";
  if (origin.dataset_id !== clock.dataset_id) return "it is of another dataset";
  if (!isOfHistory(origin, clock)) return "the dataset has been set back";
  const isSame = await isOfSameHistory({ number: origin.change_seq, id: origin.id }, async (id) => {
    const [row] = await sql<{ change_seq: number }[]>`
      select change_seq from observations where id = ${id}
    `;
    return row?.change_seq;
  });
  if (!isSame) return "the dataset has been set back and has changed since";
}
