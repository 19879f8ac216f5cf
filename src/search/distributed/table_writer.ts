/**
 * Writes the dataset's changes to the tables. One process does, by a lease in the database. It goes on
 * where the shards say that they are. Tables of another dataset, another format or another history
 * are filled anew beside those that serve, and then swapped. A writer may end at any statement.
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
import { type Claim, LeaseLost, TableLease } from "./table_lease.ts";
import { replaceStatements, RowWriter } from "./table_rows.ts";
import { shardOf, shardTable, type TableSet } from "./table_schema.ts";

/** Rows of one page of changes, each shard of which is one transaction. */
const PAGE_ROWS = 1_000;
/** Milliseconds between two deletions of expired rows, which no search finds in any case. */
const EXPIRY_MILLISECONDS = 60_000;

/** Tables that are followed into. */
interface Target {
  set: TableSet;
  origin: number;
  /** Rows up to this clock cannot be in another shard already: the tables were empty before. */
  empty_until: number;
}

/** How far tables have followed. */
interface Place {
  followed: Followed;
  /** Sessions of other writers, by shard, whose markers are there. */
  strangers: readonly (readonly number[])[];
}

export interface TableWriterOptions {
  sql: Sql;
  log: Log;
  engine: SearchEngine;
  /** Returns the milliseconds of a clock that runs evenly; absent: `performance.now`. */
  now?: () => number;
  /** Max rows of one page of changes, which is one transaction per shard; absent: 1,000. */
  page_rows?: number;
}

export class TableWriter {
  readonly #options: TableWriterOptions;
  readonly #now: () => number;
  readonly #pageRows: number;
  readonly #lease: TableLease;
  readonly #rows = new RowWriter();
  #session = drawSession();
  #layout: Layout | undefined;
  #expiredAt = -Infinity;
  /** Share of a filling that is done, from 0 to 1; undefined if none is under way. */
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
   * @returns whether this process holds it
   * @throws Failure unavailable, or an error of the engine
   */
  async catchUp(): Promise<boolean> {
    try {
      const claim = await this.#lease.claim();
      if (claim === undefined) return false;
      // Read under the lease: the writer before cannot have followed a later clock.
      await this.#follow(claim, await readClock(this.#options.sql));
      return true;
    } catch (error) {
      // Another layout may be the remedy: a node that is back, or tables that have been made.
      this.#layout = undefined;
      // A statement that has failed here may still arrive at its node.
      this.#session = drawSession();
      if (!(error instanceof LeaseLost)) throw error;
      return false;
    }
  }

  /** Ends what is being written before its next statement. */
  stop(): void {
    this.#lease.stop();
  }

  /** Gives the lease back. What is being written must have ended. */
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
    await this.#walk({ set: serving, origin, empty_until: -1 }, { place, clock });
    if (this.#now() > this.#expiredAt + EXPIRY_MILLISECONDS) {
      await this.#tidy(serving, { retired, now: microsecondsOf(clock.now) });
      this.#expiredAt = this.#now();
    }
  }

  /** Returns how far tables have followed this history; undefined if they have to be filled anew. */
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
    const strangers = positions.map(({ sessions }) =>
      sessions.filter((session) => session !== this.#session)
    );
    if (followed.clock === clock.change_seq) return { followed, strangers };
    const source = { ...followed, dataset_id: clock.dataset_id, vocabulary: VOCABULARY };
    const reason = await whyStale(sql, source, clock);
    if (reason === undefined) return { followed, strangers };
    log.warn("search tables are filled anew", { reason });
    return undefined;
  }

  /** Fills the set that does not serve, from where a process that died has left it, and swaps. */
  async #fill(
    { serving, filling }: Pick<Claim, "serving" | "filling">,
    { clock, origin }: { clock: Clock; origin: number },
  ): Promise<void> {
    const { log } = this.#options;
    const set: TableSet = serving === "a" ? "b" : "a";
    this.progress = 0;
    try {
      // If this process continues the filling of another one, rows may have changed shards since.
      let empty_until = -1;
      let place = filling === set ? await this.#placeIn({ set, origin }, clock) : undefined;
      // The markers are read again at the end: what an earlier writer wrote late is then written over.
      while (place?.followed.clock !== clock.change_seq || isStrange(place)) {
        if (place === undefined) {
          await this.#begin(set, origin);
          log.info("search tables are being filled", { set });
          empty_until = clock.change_seq;
          place = { followed: BEGINNING, strangers: [] };
        }
        await this.#walk({ set, origin, empty_until }, { place, clock });
        empty_until = -1;
        place = await this.#placeIn({ set, origin }, clock);
        // They were emptied late, or are others than those that were written. The next attempt reads
        // the layout anew.
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

  /** Empties the shards of a set, to be filled from the beginning. */
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

  /** Writes the changes behind a place up to the present end. */
  async #walk(target: Target, { place, clock }: { place: Place; clock: Clock }): Promise<void> {
    const { followed: from } = place;
    if (isStrange(place)) await this.#adopt(target, place);
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

  /** Puts a marker of a new session in the place of those that it starts from: see table_position.ts. */
  async #adopt(target: Target, { followed, strangers }: Place): Promise<void> {
    const former = this.#session;
    this.#session = drawSession();
    await this.#lease.hold();
    await this.#onShards(target.set, (shard) => [
      dropMarkersStatement({ set: target.set, shard }, [...strangers[shard]!, former]),
      this.#markerIn(target, shard, followed),
    ]);
  }

  #markerIn({ set, origin }: Target, shard: number, followed: Followed): string {
    return markerStatement({ set, shard, origin, session: this.#session }, followed);
  }

  /**
   * Writes a page in two transactions per shard. A record that changes shards is in both for a moment,
   * and never in none. The first transaction sets the marker back, so that a page that is cut short
   * is written again.
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
      // An earlier row of the observation may be in any shard. While empty tables are filled, there
      // is none.
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

  /** Deletes what has expired, and what the retired set still holds. */
  async #tidy(
    serving: TableSet,
    { retired, now }: { retired: boolean; now: number },
  ): Promise<void> {
    await this.#lease.hold();
    await this.#onShards(serving, (shard) => [
      `DELETE FROM ${shardTable(serving, shard)} WHERE expires_at BETWEEN 1 AND ${now}`,
    ], "run");
    const other: TableSet = serving === "a" ? "b" : "a";
    if (!retired) return;
    const [answer] = await this.#options.engine.search([markersStatement(other)]);
    if (answer!.rows.length > 0) await this.#empty(other);
  }

  /**
   * Has all holders of every shard carry out its statements, each of which is sent only under the lease.
   */
  async #onShards(
    set: TableSet,
    statementsOf: (shard: number) => string[],
    how: "transact" | "run" = "transact",
  ): Promise<void> {
    const check = () => this.#lease.check();
    const done = await Promise.allSettled(
      [...this.#layout!.holders[set]].flatMap(([shard, nodes]) => {
        const statements = statementsOf(shard);
        return statements.length === 0 ? [] : nodes.map((node) => node[how](statements, check));
      }),
    );
    for (const one of done) if (one.status === "rejected") throw one.reason;
  }
}

/** Returns whether markers of other writers are there. */
function isStrange({ strangers }: Place): boolean {
  return strangers.some((sessions) => sessions.length > 0);
}
