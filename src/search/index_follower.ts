/**
 * Keeps an index equal to the deliverable observations by following the dataset's changes (see
 * changes/sequence.ts). A worker thread does long work while the index answers searches. The result
 * is swapped in at the end.
 */
import { isFile } from "../db/exists.ts";
import type { Sql } from "../db/sql.ts";
import { Failure } from "../failures.ts";
import { errorFields, type Log } from "../log.ts";
import { repeat } from "../repeat.ts";
import {
  applyChange,
  type ChangePage,
  changesAfter,
  PAGE_ROWS,
  parseChanges,
} from "./changes/changes.ts";
import { type Clock, isOfHistory, readClock, VOCABULARY, whyStale } from "./changes/history.ts";
import { CatchingUp, POLL_MILLISECONDS, takeInSlices } from "./changes/sequence.ts";
import { microsecondsOf } from "./index/document.ts";
import { type FollowedIndex, IndexMaintenance } from "./index_maintenance.ts";
import { IndexWork } from "./index_work.ts";
import { openIndex } from "./orama_plugin.ts";
import type { RecordAnswer, RecordRequest, RecordSource } from "./record_source.ts";

/** Options of an index that follows the dataset. */
export interface FollowerOptions {
  sql: Sql;
  log: Log;
  /** Milliseconds between two queries for changes; absent: POLL_MILLISECONDS. */
  poll_milliseconds?: number;
  /** Path at which the index is saved for the next start; absent: it is not saved. */
  snapshot_path?: string;
  /** Receives the share of a build that begins. The returned function is called at its end. */
  watchBuild?: (progress: () => number) => () => void;
}

/** The records of an index in memory that follows the dataset. */
export class IndexFollower implements RecordSource {
  /** Searches never fail once the index is loaded. */
  readonly obstacle = undefined;
  readonly #work = new IndexWork();
  readonly #closing = new AbortController();
  readonly #catchingUp = new CatchingUp(() => this.#catchUp());
  readonly #maintenance: IndexMaintenance;
  #position: FollowedIndex | undefined;
  #now = "";
  /** Run of merging or saving. Changes are read meanwhile. No two runs overlap. */
  #maintaining: Promise<void> | undefined;
  /** Completed share of a build in the worker; undefined if none is under way. */
  #progress: number | undefined;
  #caughtUpAt = performance.now();
  /** True from the start of a run until it has ended without a failure of the database. */
  #isDoubted = false;
  #following: Promise<void> | undefined;
  readonly #first = Promise.withResolvers<void>();

  constructor(private readonly options: FollowerOptions) {
    this.#maintenance = new IndexMaintenance(this.#work, {
      ...options,
      signal: this.#closing.signal,
    });
  }

  get state() {
    return {
      documents: this.#position?.index.records.count ?? 0,
      bytes: this.#position?.index.bytes ?? 0,
      lag_seconds: (performance.now() - this.#caughtUpAt) / 1000,
      progress: this.#progress,
    };
  }

  get ready(): boolean {
    return this.#position !== undefined;
  }

  get now(): string {
    if (!this.ready) throw new Failure("retrieval_unavailable");
    return this.#now;
  }

  ask({ read, filters }: RecordRequest): Promise<RecordAnswer> {
    if (this.#position === undefined) throw new Failure("retrieval_unavailable");
    const { records } = this.#position.index;
    return Promise.resolve({ question: read(records), records, filters });
  }

  start(): Promise<void> {
    const { log, poll_milliseconds: pauseMs = POLL_MILLISECONDS } = this.options;
    const pace = { pauseMs, signal: this.#closing.signal, name: "index" };
    this.#following ??= repeat(log, () => this.refresh(), pace)
      .finally(() => this.#first.resolve());
    return this.#first.promise;
  }

  refresh(): Promise<void> {
    return this.#catchingUp.refresh();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#work.close();
    await this.#following;
    await this.#catchingUp.settled();
    await this.#maintaining;
    // Unfinished work may have started the worker again.
    this.#work.close();
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #catchUp(): Promise<void> {
    if (this.#closed) return;
    const isDoubted = this.#isDoubted;
    this.#isDoubted = true;
    const clock = await readClock(this.options.sql);
    const position = await this.#positionIn(clock, isDoubted);
    const { origin } = position;
    if (clock.change_seq > origin.clock && !await this.#readUpTo(clock, position)) return;
    origin.clock = clock.change_seq;
    position.index.evict(microsecondsOf(clock.now));
    this.#position = position;
    this.#now = clock.now;
    this.#caughtUpAt = performance.now();
    this.#isDoubted = false;
    this.#first.resolve();
    this.#maintain(position);
  }

  /** Starts merging or saving, unless such a run is under way. */
  #maintain(position: FollowedIndex): void {
    this.#maintaining ??= this.#maintenance.run(position).finally(() => {
      this.#maintaining = undefined;
      // An idle worker would keep the memory of its last work.
      if (this.#progress === undefined) this.#work.release();
    });
  }

  /**
   * Returns the position from which to follow. If the history differs, a new index starts at the
   * beginning, and the present index continues to answer.
   */
  async #positionIn(clock: Clock, isDoubted: boolean): Promise<FollowedIndex> {
    const position = this.#position;
    if (position === undefined) return await this.#restore(clock) ?? beginning(clock);
    // A failover may have lost commits, and new commits may have reached the same clock since.
    const isStale = isDoubted
      ? await whyStale(this.options.sql, position.origin, clock) !== undefined
      : !isOfHistory(position.origin, clock);
    return isStale ? beginning(clock) : position;
  }

  /** Returns the saved index, if following can continue from it. */
  async #restore(clock: Clock): Promise<FollowedIndex | undefined> {
    const { snapshot_path, sql, log } = this.options;
    if (snapshot_path === undefined) return undefined;
    try {
      if (!await isFile(snapshot_path)) return undefined;
      const { segments, origin } = await this.#work.ask("load", snapshot_path);
      const reason = await whyStale(sql, origin, clock);
      if (reason !== undefined) throw new Error(reason);
      const index = openIndex(segments);
      this.#maintenance.noteSaved(origin);
      log.info("index restored", { documents: index.records.count });
      return { origin, index };
    } catch (error) {
      if (this.#closed) throw error;
      log.warn("index snapshot refused", errorFields(error));
    } finally {
      this.#work.release();
    }
  }

  /** Reads all pages of changes. @returns false if the follower was closed before their end */
  async #readUpTo(clock: Clock, position: FollowedIndex): Promise<boolean> {
    const { index, origin } = position;
    const pages = changesAfter(this.options.sql, origin);
    for await (const page of pages) {
      // The worker builds an index of more than one page.
      if (page.count === PAGE_ROWS && index.records.count === 0) {
        return await this.#build(clock, position, { first: page, pages });
      }
      await takeInSlices(parseChanges(page), (row) => {
        applyChange(index, row);
        Object.assign(origin, { change_seq: row.change_seq, id: row.id });
      });
      if (this.#closed) return false;
      // Merges segments between pages. Otherwise many pages would add so many segments that
      // searches slow down.
      if (page.count === PAGE_ROWS) this.#maintain(position);
    }
    return true;
  }

  /** Builds the index in the worker. @returns false if the follower was closed before the end */
  async #build(
    clock: Clock,
    position: FollowedIndex,
    { first, pages }: { first: ChangePage; pages: AsyncIterable<ChangePage> },
  ): Promise<boolean> {
    const started = performance.now();
    let { last } = first;
    const add = async (page: ChangePage): Promise<void> => {
      await this.#work.ask("add", { rows: page.rows });
      last = page.last;
      // Each write has one change_seq. Writes have similar numbers of rows, so this approximates the
      // share of the rows.
      this.#progress = Math.min(1, last.change_seq / clock.change_seq);
    };
    this.#progress = 0;
    const endWatch = this.options.watchBuild?.(() => this.#progress ?? 1);
    try {
      // Discards the rows that a failed build has left in the worker.
      await this.#work.ask("take");
      await add(first);
      for await (const page of pages) {
        if (this.#closed) return false;
        await add(page);
      }
      // The position moves only here, so a failed build changes nothing.
      position.index = openIndex(await this.#work.ask("take"));
      Object.assign(position.origin, last);
    } finally {
      endWatch?.();
      this.#progress = undefined;
    }
    this.options.log.debug("index built", {
      documents: position.index.records.count,
      ms: Math.round(performance.now() - started),
    });
    return true;
  }
}

/** Returns an empty index at the beginning of the dataset. */
function beginning({ dataset_id }: Clock): FollowedIndex {
  const origin = { dataset_id, vocabulary: VOCABULARY, change_seq: 0, id: 0, clock: -1 };
  return { index: openIndex(), origin };
}
