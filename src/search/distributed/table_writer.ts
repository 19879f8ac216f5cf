/**
 * Writes the dataset's changes to the tables of the search nodes. A lease in the database lets only
 * one process write. This process continues from the positions that the shards report. There are
 * two sets of tables, and one of them serves searches. If its rows are of another dataset, format
 * or history, the writer fills the other set and then swaps the sets. If a writer fails at any
 * statement, the next writer can continue.
 */
import type { Sql } from "../../db/sql.ts";
import type { Log } from "../../log.ts";
import { type ChangePage, documentOf, parseChanges, readChanges } from "../changes/changes.ts";
import { microsecondsOf } from "../index/instants.ts";
import { type Clock, readClock, VOCABULARY, whyStale } from "../changes/history.ts";
import { pagesAfter, takeInSlices } from "../changes/sequence.ts";
import type { Layout, SearchEngine } from "./search_engine.ts";
import {
  baseStatement,
  BEGINNING,
  commonPlace,
  drawSession,
  dropMarkersStatement,
  type Followed,
  markersStatement,
  markerStatement,
  originOf,
  readMarkers,
} from "./table_position.ts";
import { type Claim, TableLease, TableLeaseLost } from "./table_lease.ts";
import { replaceStatements, RowWriter } from "./table_rows.ts";
import { shardOf, shardTable, type TableSet } from "./table_schema.ts";

/** Number of rows per page of changes. Up to two transactions per shard write a page. */
const PAGE_ROWS = 1_000;
/** Milliseconds between two deletions of expired rows. Searches omit these rows in any case. */
const EXPIRY_MILLISECONDS = 60_000;

/** Set of tables that receives changes. */
interface Target {
  set: TableSet;
  origin: number;
  /**
   * `change_seq` of the clock when the tables were emptied. Observations changed up to then have no
   * older rows. It is -1 if other shards may contain older rows.
   */
  empty_until: number;
}

/** Position of tables in the change sequence. */
interface Place {
  followed: Followed;
  /**
   * Sessions that have left marker rows (table_position.ts), by shard. The present session of this
   * writer is not included.
   */
  foreign_sessions: readonly (readonly number[])[];
}

interface TableWriterOptions {
  sql: Sql;
  log: Log;
  engine: SearchEngine;
  /** Returns the milliseconds of a monotonic clock; absent: `performance.now`. */
  now?: () => number;
  /** Max number of rows per page of changes; absent: 1,000. */
  page_rows?: number;
}

/** Writes the tables while this process holds the lease. */
export class TableWriter {
  readonly #options: TableWriterOptions;
  readonly #now: () => number;
  readonly #pageRows: number;
  readonly #lease: TableLease;
  readonly #rows = new RowWriter();
  #session = drawSession();
  #layout: Layout | undefined;
  #expiredAt = -Infinity;
  /** Completed share of a filling, from 0 to 1; undefined if none is under way. */
  progress: number | undefined;

  constructor(options: TableWriterOptions) {
    const { sql, now = () => performance.now(), page_rows = PAGE_ROWS } = options;
    this.#options = options;
    this.#now = now;
    this.#pageRows = page_rows;
    this.#lease = new TableLease(sql, now);
  }

  /**
   * Writes all changes that are committed by now, if no other process holds the lease.
   *
   * @returns whether this process holds the lease
   * @throws Failure unavailable, or an error of the engine
   */
  async catchUp(): Promise<boolean> {
    try {
      const claim = await this.#lease.claim();
      if (claim === undefined) return false;
      // The clock is read under the lease, so that the previous writer cannot have reached a later
      // clock.
      await this.#follow(claim, await readClock(this.#options.sql));
      return true;
    } catch (error) {
      // The next attempt reads the layout again: a node may be back, or tables may have been
      // created.
      this.#layout = undefined;
      // A failed statement may still arrive at its node. It then writes a marker of the session
      // that ends here. The writer detects the statement by that marker.
      this.#session = drawSession();
      if (!(error instanceof TableLeaseLost)) throw error;
      return false;
    }
  }

  /** Stops writing before the next statement. */
  stop(): void {
    this.#lease.stop();
  }

  /** Gives the lease back. `catchUp` must have ended. */
  async close(): Promise<void> {
    await this.#lease.release();
  }

  async #follow({ serving, filling, retired }: Claim, clock: Clock): Promise<void> {
    const { engine } = this.#options;
    const layout = this.#layout ??= await engine.readLayout();
    const origin = originOf(clock, layout.shards);
    const place = serving === null
      ? undefined
      : await this.#placeIn({ set: serving, origin }, clock);
    if (serving === null || place === undefined) {
      return await this.#fill({ serving, filling }, { clock, origin });
    }
    if (filling !== null) await this.#lease.noteFilling(null);
    await this.#writeChanges({ set: serving, origin, empty_until: -1 }, { place, clock });
    if (this.#now() > this.#expiredAt + EXPIRY_MILLISECONDS) {
      await this.#tidy(serving, { retired, now: microsecondsOf(clock.now) });
      this.#expiredAt = this.#now();
    }
  }

  /**
   * Returns the position of tables in the dataset's history; undefined if the tables have to be
   * refilled.
   */
  async #placeIn(
    { set, origin }: Pick<Target, "set" | "origin">,
    clock: Clock,
  ): Promise<Place | undefined> {
    const { engine, sql, log } = this.#options;
    const [answer] = await engine.search([markersStatement(set)]);
    const { rows } = answer!;
    const positions = readMarkers(rows, { shards: this.#layout!.shards, origin });
    const followed = commonPlace(positions);
    if (followed === undefined) return undefined;
    const foreign_sessions = positions.map(({ sessions }) =>
      sessions.filter((session) => session !== this.#session)
    );
    if (followed.clock === clock.change_seq) return { followed, foreign_sessions };
    const source = { ...followed, dataset_id: clock.dataset_id, vocabulary: VOCABULARY };
    const reason = await whyStale(sql, source, clock);
    if (reason === undefined) return { followed, foreign_sessions };
    log.warn("search tables are filled anew", { reason });
    return undefined;
  }

  /**
   * Fills the set that does not serve, and swaps the sets. It continues an unfinished filling, also
   * one of another process.
   */
  async #fill(
    { serving, filling }: Pick<Claim, "serving" | "filling">,
    { clock, origin }: { clock: Clock; origin: number },
  ): Promise<void> {
    const { log } = this.#options;
    const set: TableSet = serving === "a" ? "b" : "a";
    this.progress = 0;
    try {
      // -1, because an earlier attempt may have begun the filling, and records may have changed
      // shards since.
      let empty_until = -1;
      let place = filling === set ? await this.#placeIn({ set, origin }, clock) : undefined;
      // The markers are read again at the end. They show late writes of an earlier writer, which
      // are then overwritten.
      while (place?.followed.clock !== clock.change_seq || hasForeignMarkers(place)) {
        if (place === undefined) {
          await this.#begin(set, origin);
          log.info("search tables are being filled", { set });
          empty_until = clock.change_seq;
          place = { followed: BEGINNING, foreign_sessions: [] };
        }
        await this.#writeChanges({ set, origin, empty_until }, { place, clock });
        empty_until = -1;
        place = await this.#placeIn({ set, origin }, clock);
        // The tables were emptied meanwhile, or replaced by others. The next attempt reads the
        // layout again.
        if (place === undefined) {
          throw new Error("the search tables were emptied while being filled");
        }
      }
      await this.#lease.hold();
      await this.#lease.noteServing(set);
      log.info("search tables serve", { set });
    } finally {
      this.progress = undefined;
    }
  }

  /** Empties the shards of a set before a filling from the beginning. */
  async #begin(set: TableSet, origin: number): Promise<void> {
    await this.#lease.noteFilling(set);
    await this.#empty(set);
    await this.#lease.hold();
    const session = this.#session;
    await this.#onShards(set, (shard) => [baseStatement({ set, shard, origin, session })]);
  }

  async #empty(set: TableSet): Promise<void> {
    await this.#lease.hold();
    await this.#onShards(set, (shard) => [`TRUNCATE RTINDEX ${shardTable(set, shard)}`], "run");
  }

  /** Writes the changes after a position up to the clock. */
  async #writeChanges(
    target: Target,
    { place, clock }: { place: Place; clock: Clock },
  ): Promise<void> {
    const { followed: from } = place;
    if (hasForeignMarkers(place)) await this.#adopt(target, place);
    if (from.clock === clock.change_seq) return;
    const { sql } = this.#options;
    const limit = this.#pageRows;
    const pages = pagesAfter<ChangePage>(from, { limit, read: (page) => readChanges(sql, page) });
    let before = from;
    for await (const page of pages) {
      const isEnd = page.count < limit;
      const reached = { ...page.last, clock: isEnd ? clock.change_seq : from.clock };
      await this.#write(target, { page, before, reached });
      before = reached;
      if (!isEnd && this.progress !== undefined) {
        this.progress = Math.min(1, page.last.change_seq / Math.max(1, clock.change_seq));
      }
    }
  }

  /** Replaces markers of other writers and of this one by those of a new session. */
  async #adopt(target: Target, { followed, foreign_sessions }: Place): Promise<void> {
    const former = this.#session;
    this.#session = drawSession();
    await this.#lease.hold();
    await this.#onShards(target.set, (shard) => [
      dropMarkersStatement({ set: target.set, shard }, [...foreign_sessions[shard]!, former]),
      this.#markerIn(target, shard, followed),
    ]);
  }

  #markerIn({ set, origin }: Target, shard: number, followed: Followed): string {
    return markerStatement({ set, shard, origin, session: this.#session }, followed);
  }

  /**
   * Writes a page in two transactions per shard: the first adds rows, and the second deletes rows.
   * A record that changes shards is therefore always in at least one shard. The first transaction
   * writes the marker of the position before the page, so that an interrupted page is written
   * again.
   */
  async #write(
    target: Target,
    { page, before, reached }: {
      page: { rows: string };
      before: Followed;
      reached: Followed;
    },
  ): Promise<void> {
    const { set } = target;
    const { shards } = this.#layout!;
    const values: string[][] = Array.from({ length: shards }, () => []);
    const gone: number[][] = Array.from({ length: shards }, () => []);
    await takeInSlices(parseChanges(page), (row) => {
      const document = documentOf(row);
      const shard = document === undefined ? -1 : shardOf(document.company_id, shards);
      if (document !== undefined) values[shard]!.push(this.#rows.rowOf(document));
      // An earlier row of the observation may be in any shard, except while empty tables are
      // filled.
      if (row.change_seq > target.empty_until) {
        for (let n = 0; n < shards; n++) if (n !== shard) gone[n]!.push(row.id);
      }
    });
    await this.#lease.hold();
    await this.#onShards(set, (shard) =>
      values[shard]!.length === 0 ? [] : [
        ...replaceStatements(shardTable(set, shard), values[shard]!),
        this.#markerIn(target, shard, before),
      ]);
    await this.#lease.hold();
    await this.#onShards(set, (shard) => [
      ...gone[shard]!.length === 0
        ? []
        : [`DELETE FROM ${shardTable(set, shard)} WHERE id IN (${gone[shard]!.join()})`],
      this.#markerIn(target, shard, reached),
    ]);
  }

  /** Deletes expired rows of the serving set, and all rows of the other set if it is retired. */
  async #tidy(
    serving: TableSet,
    { retired, now }: { retired: boolean; now: number },
  ): Promise<void> {
    await this.#lease.hold();
    await this.#onShards(serving, (shard) => [
      `DELETE FROM ${shardTable(serving, shard)} WHERE expires_at BETWEEN 1 AND ${now}`,
    ], "run");
    const idle: TableSet = serving === "a" ? "b" : "a";
    if (!retired) return;
    const [answer] = await this.#options.engine.search([markersStatement(idle)]);
    if (answer!.rows.length > 0) await this.#empty(idle);
  }

  /** Runs the statements of each shard on all its nodes. Checks the lease before each statement. */
  async #onShards(
    set: TableSet,
    statementsOf: (shard: number) => string[],
    mode: "transact" | "run" = "transact",
  ): Promise<void> {
    const check = () => this.#lease.check();
    const done = await Promise.allSettled(
      [...this.#layout!.holders[set]].flatMap(([shard, nodes]) => {
        const statements = statementsOf(shard);
        return statements.length === 0 ? [] : nodes.map((node) => node[mode](statements, check));
      }),
    );
    for (const one of done) if (one.status === "rejected") throw one.reason;
  }
}

/** Returns whether markers of other writers are present. */
function hasForeignMarkers({ foreign_sessions }: Place): boolean {
  return foreign_sessions.some((sessions) => sessions.length > 0);
}
