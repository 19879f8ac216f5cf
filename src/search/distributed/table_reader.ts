/**
 * Reads which set of tables serves searches, how far it has followed the dataset, and the
 * statistics of its documents.
 */
import type { Sql } from "../../db/sql.ts";
import { Totals } from "../engine/scoring.ts";
import { type Clock, readClock } from "../changes/history.ts";
import type { SearchEngine } from "./search_engine.ts";
import {
  commonPlace,
  type Followed,
  markersStatement,
  originOf,
  readMarkers,
} from "./table_position.ts";
import { distributedTable, type TableSet, TEXT_FIELDS } from "./table_schema.ts";
import { microsecondsOf } from "../index/instants.ts";

/** State of the serving tables. */
export interface TableState {
  set: TableSet;
  /** Name of the distributed table. */
  table: string;
  shards: number;
  /** Number that identifies the dataset and the format of the tables (see table_position.ts). */
  origin: number;
  followed: Followed;
  totals: Totals;
  /** Frequencies of tokens that searches have read in this state. */
  frequencies: Map<string, number>;
  /** The database's time when the state was read, in the form of contract/instant.ts. */
  now: string;
}

/**
 * Duration in milliseconds up to which reading the statistics is repeated after each change of the
 * tables.
 */
const STATISTICS_MILLISECONDS = 100;
/**
 * Max share of the time for slower reads of the statistics. The first STATISTICS_MILLISECONDS of a
 * read do not count.
 */
const STATISTICS_SHARE = 1 / 20;

/** Max number of cached frequencies, which take about five megabytes. */
const FREQUENCIES_MAX = 50_000;

/** Error of tables that do not contain the dataset yet, or no longer do. */
export class TablesIncomplete extends Error {
  override name = "TablesIncomplete";
}

/** Reads the state of the serving tables. */
export class TableReader {
  readonly #sql: Sql;
  readonly #engine: SearchEngine;
  #state: TableState | undefined;
  #statisticsDue = -Infinity;
  #shards: number | undefined;

  constructor({ sql, engine }: { sql: Sql; engine: SearchEngine }) {
    this.#sql = sql;
    this.#engine = engine;
  }

  /**
   * Reads the state. Statistics are read again after a change of the tables. Slow reads take at
   * most a twentieth of the time (STATISTICS_SHARE), because counting a billion rows takes seconds.
   *
   * @throws TablesIncomplete, Failure unavailable, or an error of a node
   */
  async read(): Promise<{ clock: Clock; state: TableState }> {
    const clock = await readClock(this.#sql);
    const [{ serving }] = await this.#sql<[{ serving: TableSet | null }]>`
      select serving from search_tables
    `;
    if (serving === null) {
      // If the engine is unavailable, this throws an error that says so.
      await this.#engine.readLayout();
      throw new TablesIncomplete("the search tables are being filled");
    }
    const shards = this.#shards ??= (await this.#engine.readLayout()).shards;
    const origin = originOf(clock, shards);
    const [answer] = await this.#engine.search([markersStatement(serving)]);
    const followed = commonPlace(readMarkers(answer!.rows, { shards, origin }));
    if (followed === undefined) {
      this.#shards = undefined;
      throw new TablesIncomplete("a shard does not hold the dataset");
    }
    const table = distributedTable(serving);
    const before = this.#state;
    const isSame = before?.table === table && before.followed.clock === followed.clock &&
      before.followed.change_seq === followed.change_seq && before.followed.id === followed.id;
    const isFresh = before?.table === table && before.totals.documents > 0 &&
      (isSame || performance.now() < this.#statisticsDue);
    const state: TableState = {
      set: serving,
      table,
      shards,
      origin,
      followed,
      now: clock.now,
      totals: isFresh ? before.totals : await this.#readTotals(table, clock),
      frequencies: isSame && before.frequencies.size < FREQUENCIES_MAX
        ? before.frequencies
        : new Map<string, number>(),
    };
    this.#state = state;
    return { clock, state };
  }

  async #readTotals(table: string, { now }: Clock): Promise<Totals> {
    const started = performance.now();
    const columns = TEXT_FIELDS.flatMap((name, field) => [
      `${name}_len > 0 AS holds${field}`,
      `SUM(holds${field}) AS count${field}`,
      `SUM(${name}_len) AS length${field}`,
    ]);
    const [answer] = await this.#engine.search([
      `SELECT COUNT(*) AS documents, ${columns.join(", ")} FROM ${table} ` +
      `WHERE expires_at > ${microsecondsOf(now)}`,
    ]);
    const [row] = answer!.rows;
    const numbers = (name: string) => TEXT_FIELDS.map((_, n) => Number(row?.[`${name}${n}`] ?? 0));
    const totals = new Totals(TEXT_FIELDS.length);
    const documents = Number(row?.documents ?? 0);
    totals.take(Float64Array.of(documents, ...numbers("count"), ...numbers("length")));
    const ended = performance.now();
    const excess = Math.max(0, ended - started - STATISTICS_MILLISECONDS);
    this.#statisticsDue = ended + excess * (1 / STATISTICS_SHARE - 1);
    return totals;
  }
}
