/**
 * How far the tables have followed the dataset. Each shard has one row, its marker, that says how far
 * it has followed. It is written in the transactions of the shard's rows, so that a shard which loses
 * its last transactions says so itself. A marker has expired for ever: no search finds it.
 */
import { createHash } from "node:crypto";
import type { ChangePosition } from "../changes/changes.ts";
import { type Clock, VOCABULARY } from "../changes/history.ts";
import { MARKER_TOKEN } from "./encoded_terms.ts";
import type { EngineRow } from "./node_connection.ts";
import {
  distributedTable,
  SHARDS_MAX,
  shardTable,
  TABLE_FORMAT,
  type TableSet,
} from "./table_schema.ts";

/** A shard has all rows up to a place of the change sequence, and all commits up to a clock. */
export interface Followed extends ChangePosition {
  clock: number;
}

/** Ids of markers, by shard: above all ids of observations. */
const FIRST_MARKER_ID = Number.MAX_SAFE_INTEGER - SHARDS_MAX;

/**
 * Returns a number that stands for a dataset, the vocabulary of its attributes, the format of tables
 * and the number of shards: tables with another one have to be filled anew.
 */
export function originOf({ dataset_id }: Pick<Clock, "dataset_id">, shards: number): number {
  const text = JSON.stringify([dataset_id, VOCABULARY, TABLE_FORMAT, shards]);
  return createHash("sha256").update(text).digest().readUIntBE(0, 6);
}

/** Returns the statement that writes the marker of a shard. */
export function markerStatement(
  { set, shard, origin }: { set: TableSet; shard: number; origin: number },
  { change_seq, id, clock }: Followed,
): string {
  return `REPLACE INTO ${shardTable(set, shard)} ` +
    "(id,texts,company_id,occurred_at,observed_at,closes_at,expires_at) VALUES " +
    `(${FIRST_MARKER_ID + shard},'${MARKER_TOKEN}',${origin},${change_seq},${id},${clock},0)`;
}

/** Returns the statement that reads the markers of all shards. */
export function markersStatement(set: TableSet): string {
  return "SELECT id, company_id, occurred_at, observed_at, closes_at " +
    `FROM ${distributedTable(set)} WHERE MATCH('${MARKER_TOKEN}') LIMIT ${SHARDS_MAX} ` +
    `OPTION ranker=none, max_matches=${SHARDS_MAX}`;
}

/** Reads how far the shards of an origin have followed, by shard; undefined for those without. */
export function readMarkers(
  rows: readonly EngineRow[],
  { shards, origin }: { shards: number; origin: number },
): (Followed | undefined)[] {
  const followed: (Followed | undefined)[] = Array.from({ length: shards }, () => undefined);
  for (const row of rows) {
    const shard = Number(row.id) - FIRST_MARKER_ID;
    if (shard < 0 || shard >= shards || Number(row.company_id) !== origin) continue;
    followed[shard] = {
      change_seq: Number(row.occurred_at),
      id: Number(row.observed_at),
      clock: Number(row.closes_at),
    };
  }
  return followed;
}

/** Returns the place that all shards have reached; undefined if one of them has followed nothing. */
export function commonPlace(markers: readonly (Followed | undefined)[]): Followed | undefined {
  let least: Followed | undefined;
  for (const marker of markers) {
    if (marker === undefined) return undefined;
    if (least === undefined || compareFollowed(marker, least) < 0) least = marker;
  }
  return least;
}

/** Returns whether every shard has followed at least as far as a place. */
export function isReached(markers: readonly (Followed | undefined)[], place: Followed): boolean {
  return markers.every((marker) => marker !== undefined && compareFollowed(marker, place) >= 0);
}

function compareFollowed(a: Followed, b: Followed): number {
  return a.change_seq - b.change_seq || a.id - b.id || a.clock - b.clock;
}
