/**
 * Tracks how far the tables of the search nodes have followed the dataset. Each shard has marker
 * rows that store its position. A marker is written in the same transaction as the rows of its
 * shard. A shard that loses its last transactions thus reports an earlier position. A marker has an
 * expiry of 0 (the year 1970), so searches for observations omit it.
 *
 * A process writes markers of its own session. The first transaction of a session on a shard
 * deletes the markers of earlier sessions. A transaction of an earlier writer that arrives later
 * restores the marker of that writer. The lowest marker of a shard determines the shard's position.
 * A search fails if this position is below the one that the searching process has read before. The
 * present writer repairs the shard: it writes again from the lowest position on. Each repair begins
 * another session, so that a search notices a repair that happens during the search.
 *
 * The base marker of a shard is written only right after the shard was emptied. If a late statement
 * of an earlier writer empties the shard once more, the base marker is missing. The tables are then
 * filled again from the beginning of the dataset.
 */
import { sha256 } from "../../sha256.ts";
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

/**
 * Position of a shard. The shard contains all rows up to (change_seq, id), and all commits up to
 * `clock` (the dataset's clock).
 */
export interface Followed extends ChangePosition {
  clock: number;
}

/** Position of tables that have been emptied. */
export const BEGINNING: Followed = { change_seq: 0, id: 0, clock: -1 };

/** Position and sessions that the markers of a shard store. */
interface ShardPosition {
  /** Position of the shard; undefined if the shard has to be refilled. */
  followed: Followed | undefined;
  /** Sessions that have written a marker, except for the base marker. */
  sessions: readonly number[];
}

/**
 * First id of a marker, above all ids of observations. The markers of each shard have their own
 * range of ids.
 */
const FIRST_MARKER_ID = 2 ** 52;
/** Number of ids for the markers of a shard, one per session. */
const SESSIONS = 2 ** 40;
/** Session of the base marker. */
const BASE_SESSION = 0;

/**
 * Max number of markers that are read. A shard has two markers, and another one for each writer
 * that failed.
 */
const MARKERS_MAX = 8 * SHARDS_MAX;

/** Returns a random number for a session. Two sessions very rarely have the same number. */
export function drawSession(): number {
  const [drawn] = crypto.getRandomValues(new BigUint64Array(1));
  return 1 + Number(drawn! % BigInt(SESSIONS - 1));
}

/**
 * Returns a number that identifies a dataset, the vocabulary of its attributes, the format of
 * tables and the number of shards. Tables with another number have to be refilled.
 */
export function originOf({ dataset_id }: Pick<Clock, "dataset_id">, shards: number): number {
  const text = JSON.stringify([dataset_id, VOCABULARY, TABLE_FORMAT, shards]);
  return Number.parseInt(sha256(text).toHex().slice(0, 12), 16);
}

/** Table of a shard, and the session that writes it. */
interface MarkedTable {
  set: TableSet;
  shard: number;
  origin: number;
  session: number;
}

/** Returns the statement that writes the marker of a session. */
export function markerStatement(table: MarkedTable, followed: Followed): string {
  return replaceMarkers(table, [markerOf(table, followed)]);
}

/** Returns the statement that writes the base marker and a session's marker to an empty shard. */
export function baseStatement(table: MarkedTable): string {
  const base = { ...table, session: BASE_SESSION };
  return replaceMarkers(table, [markerOf(base, BEGINNING), markerOf(table, BEGINNING)]);
}

/** Returns the statement that deletes the markers of sessions. */
export function dropMarkersStatement(
  { set, shard }: Pick<MarkedTable, "set" | "shard">,
  sessions: readonly number[],
): string {
  const ids = sessions.map((session) => markerId(shard, session));
  return `DELETE FROM ${shardTable(set, shard)} WHERE id IN (${ids.join()})`;
}

function replaceMarkers({ set, shard }: MarkedTable, markers: readonly string[]): string {
  return `REPLACE INTO ${shardTable(set, shard)} ` +
    "(id,texts,company_id,occurred_at,observed_at,closes_at,expires_at) VALUES " +
    markers.join();
}

function markerOf(
  { shard, origin, session }: MarkedTable,
  { change_seq, id, clock }: Followed,
): string {
  const marker = markerId(shard, session);
  return `(${marker},'${MARKER_TOKEN}',${origin},${change_seq},${id},${clock},0)`;
}

function markerId(shard: number, session: number): number {
  return FIRST_MARKER_ID + shard * SESSIONS + session;
}

/** Returns the statement that reads the markers of all shards. */
export function markersStatement(set: TableSet): string {
  return "SELECT id, company_id, occurred_at, observed_at, closes_at " +
    `FROM ${distributedTable(set)} WHERE MATCH('${MARKER_TOKEN}') ORDER BY id ASC ` +
    `LIMIT ${MARKERS_MAX} OPTION ranker=none, max_matches=${MARKERS_MAX}`;
}

/** Reads the position of each shard. A shard without its base marker has to be refilled. */
export function readMarkers(
  rows: readonly EngineRow[],
  { shards, origin }: { shards: number; origin: number },
): ShardPosition[] {
  const markers = Array.from(
    { length: shards },
    () => ({
      hasBase: false,
      isForeign: false,
      followed: [] as Followed[],
      sessions: [] as number[],
    }),
  );
  for (const row of rows) {
    const place = Number(row.id) - FIRST_MARKER_ID;
    const shard = markers[Math.floor(place / SESSIONS)];
    if (shard === undefined) {
      // The marker has another format or number of shards. Rows of its writer may be in any shard.
      for (const one of markers) one.isForeign = true;
      continue;
    }
    // The shard may contain rows of the other origin.
    if (Number(row.company_id) !== origin) shard.isForeign = true;
    const session = place % SESSIONS;
    if (session === BASE_SESSION) {
      shard.hasBase = true;
      continue;
    }
    shard.sessions.push(session);
    shard.followed.push({
      change_seq: Number(row.occurred_at),
      id: Number(row.observed_at),
      clock: Number(row.closes_at),
    });
  }
  return markers.map(({ hasBase, isForeign, followed, sessions }) => ({
    followed: hasBase && !isForeign ? earliestOf(followed) : undefined,
    sessions,
  }));
}

/** Returns the position that all shards have reached; undefined if a shard has to be refilled. */
export function commonPlace(positions: readonly ShardPosition[]): Followed | undefined {
  const places = positions.map(({ followed }) => followed);
  return places.every((place) => place !== undefined) ? earliestOf(places) : undefined;
}

/** Returns whether every shard has reached a position. */
export function isReached(positions: readonly ShardPosition[], place: Followed): boolean {
  return positions.every(({ followed }) =>
    followed !== undefined && compareFollowed(followed, place) >= 0
  );
}

/** Returns whether the same sessions have written every shard. */
export function haveSameSessions(
  before: readonly ShardPosition[],
  after: readonly ShardPosition[],
): boolean {
  return before.every(({ sessions }, shard) => `${sessions}` === `${after[shard]!.sessions}`);
}

function earliestOf(places: readonly Followed[]): Followed | undefined {
  return places.toSorted(compareFollowed)[0];
}

function compareFollowed(a: Followed, b: Followed): number {
  return a.change_seq - b.change_seq || a.id - b.id || a.clock - b.clock;
}
