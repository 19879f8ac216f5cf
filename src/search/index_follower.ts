/**
 * Keeps an index equal to the deliverable observations by following the dataset's changes (see
 * changes/sequence.ts). A worker thread does long work while the index answers searches. The result
 * is swapped in at the end.
 */
import { isFile } from "../db/exists.ts";
import type { Sql } from "../db/sql.ts";
import { errorFields, type Log } from "../log.ts";
import {
  type ChangedRow,
  type ChangePage,
  documentOf,
  parseChanges,
  readChanges,
} from "./changes/changes.ts";
import { type Clock, isOfHistory, readClock, VOCABULARY, whyStale } from "./changes/history.ts";
import { CatchingUp, pagesAfter, takeInSlices } from "./changes/sequence.ts";
import { microsecondsOf } from "./index/document.ts";
import type { RecordIndex } from "./index/record_index.ts";
import { openIndex } from "./orama_plugin.ts";
import { type FollowedIndex, IndexMaintenance, originOf } from "./index_maintenance.ts";
import { IndexWork } from "./index_work.ts";
import { poll } from "./polling.ts";

/** Number of rows per page of changes. The worker builds an index of more than one page. */
const PAGE_ROWS = 500;

/** The first page of changes, and the pages after it, which are not read yet. */
interface UnreadPages {
  first: ChangePage;
  pages: AsyncGenerator<ChangePage, void, void>;
}

/** Options of an index that follows the dataset. */
export interface FollowerOptions {
  sql: Sql;
  log: Log;
  /** Milliseconds between two queries for changes. */
  poll_milliseconds?: number;
  /**
   * Path at which the index is saved, so that a restart need not build it. If absent, it is not
   * saved.
   */
  snapshot_path?: string;
  /**
   * Called when a build begins, with a function that returns the completed share of the build. The
   * returned function is called when the build ends.
   */
  watchBuild?: (progress: () => number) => () => void;
}

/** An index in memory that follows the dataset. */
export class IndexFollower {
  readonly #options: FollowerOptions;
  readonly #work = new IndexWork();
  #position: FollowedIndex | undefined;
  #now = "";
  readonly #closing = new AbortController();
  readonly #catchingUp = new CatchingUp(() => this.#catchUp());
  readonly #maintenance: IndexMaintenance;
  /** Run of merging or saving. Changes are read meanwhile. No two runs overlap. */
  #maintaining: Promise<void> | undefined;
  /** Completed share of a build in the worker; undefined if none is under way. */
  #progress: number | undefined;
  /** The `change_seq` of the dataset's clock, up to which changes are being read. */
  #goal = 0;
  #caughtUpAt = performance.now();
  /** True if the database has failed since its history was last checked. */
  #doubted = false;
  #following: Promise<void> | undefined;
  readonly #first = Promise.withResolvers<void>();

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#maintenance = new IndexMaintenance(this.#work, options);
  }

  /** Index of the dataset; undefined until the dataset has been loaded. */
  get index(): RecordIndex | undefined {
    return this.#position?.index;
  }

  /** Database's time when the index last caught up, in the form of contract/instant.ts. */
  get now(): string {
    return this.#now;
  }

  /** Seconds since the index last contained all changes, or since this follower was created. */
  get lagSeconds(): number {
    return (performance.now() - this.#caughtUpAt) / 1000;
  }

  /** Completed share of a build, from 0 to 1; undefined if none is under way. */
  get progress(): number | undefined {
    return this.#progress;
  }

  /** Follows changes until close(). Resolves when all changes have been read, or at close(). */
  start(): Promise<void> {
    this.#following ??= poll(() => this.#follow(), {
      ...this.#options,
      signal: this.#closing.signal,
      complaint: "index cannot follow the dataset",
      relief: "index follows the dataset again",
    }).finally(() => this.#first.resolve());
    return this.#first.promise;
  }

  /** Reads all committed changes. */
  refresh(): Promise<void> {
    return this.#catchingUp.refresh();
  }

  /** Stops following. Resolves when reading and maintenance have ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#maintenance.close();
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

  async #follow(): Promise<void> {
    try {
      await this.refresh();
      this.#first.resolve();
    } catch (error) {
      this.#doubted = true;
      throw error;
    }
  }

  async #catchUp(): Promise<void> {
    if (this.#closed) return;
    const clock = await readClock(this.#options.sql);
    this.#goal = clock.change_seq;
    const position = await this.#positionIn(clock);
    if (clock.change_seq > position.clock && !await this.#readUpTo(position)) return;
    position.clock = clock.change_seq;
    position.index.evict(microsecondsOf(clock.now));
    this.#position = position;
    this.#now = clock.now;
    this.#caughtUpAt = performance.now();
    this.#keep(() => this.#keepUp(position));
  }

  /** Starts merging or saving, unless such a run is under way. */
  #keep(work: () => Promise<void>): void {
    this.#maintaining ??= work().finally(() => this.#maintaining = undefined);
  }

  /**
   * Returns the position from which to follow. If the history differs, a new index starts at the
   * beginning, and the present index continues to answer.
   */
  async #positionIn(clock: Clock): Promise<FollowedIndex> {
    if (this.#position === undefined) return await this.#restore(clock) ?? beginning(clock);
    if (!isOfHistory(this.#position, clock)) return beginning(clock);
    if (this.#doubted) {
      // A failover may have lost commits, and new commits may have reached the same clock since.
      const reason = await whyStale(this.#options.sql, originOf(this.#position), clock);
      this.#doubted = false;
      if (reason !== undefined) return beginning(clock);
    }
    return this.#position;
  }

  /** Returns the saved index, if following can continue from it. */
  async #restore(clock: Clock): Promise<FollowedIndex | undefined> {
    const { snapshot_path, sql, log } = this.#options;
    if (snapshot_path === undefined) return undefined;
    try {
      if (!await isFile(snapshot_path)) return undefined;
      const snapshot = await this.#work.ask("load", snapshot_path);
      if (snapshot === undefined) return undefined;
      const { state, origin } = snapshot;
      const reason = await whyStale(sql, origin, clock);
      if (reason !== undefined) throw new Error(reason);
      const index = openIndex(state);
      this.#maintenance.noteSaved(origin);
      log.info("index restored", { documents: index.records.count });
      return { ...origin, index };
    } catch (error) {
      if (this.#closed) throw error;
      log.warn("index snapshot refused", errorFields(error));
    } finally {
      this.#work.release();
    }
  }

  /** Reads all pages of changes. @returns false if the follower was closed before their end */
  async #readUpTo(position: FollowedIndex): Promise<boolean> {
    const { sql } = this.#options;
    const pages = pagesAfter<ChangePage>(position, {
      limit: PAGE_ROWS,
      read: (page) => readChanges(sql, page),
    });
    for await (const page of pages) {
      if (page.count === PAGE_ROWS && position.index.records.count === 0) {
        return await this.#build(position, { first: page, pages });
      }
      await takeInSlices(parseChanges(page), (row) => applyChange(position, row));
      if (this.#closed) return false;
      // Merges segments between pages. Otherwise many pages would add so many segments that
      // searches slow down.
      if (page.count === PAGE_ROWS) this.#keep(() => this.#maintenance.run(position));
    }
    return true;
  }

  /**
   * Builds the index in the worker, which indexes one page while the next one is read.
   */
  async #build(position: FollowedIndex, build: UnreadPages): Promise<boolean> {
    this.#progress = 0;
    const endWatch = this.#options.watchBuild?.(() => this.#progress ?? 1);
    try {
      return await this.#buildFrom(position, build);
    } finally {
      endWatch?.();
      this.#progress = undefined;
    }
  }

  async #buildFrom(position: FollowedIndex, { first, pages }: UnreadPages): Promise<boolean> {
    const started = performance.now();
    // Discards the rows that a failed build has left in the worker.
    await this.#work.ask("take");
    let last = first;
    let indexing = this.#index(first);
    for await (const page of pages) {
      await indexing;
      if (this.#closed) return false;
      last = page;
      indexing = this.#index(page);
    }
    await indexing;
    const state = await this.#work.ask("take");
    // The position moves only here, so a failed build changes nothing.
    Object.assign(position, last.last, { index: openIndex(state) });
    this.#options.log.debug("index built", {
      documents: position.index.records.count,
      ms: Math.round(performance.now() - started),
    });
    return true;
  }

  /** Sends a page to the worker for indexing. */
  #index({ rows, last }: ChangePage): Promise<void> {
    // Each write has one change_seq. Writes have similar numbers of rows, so this approximates the
    // share of the rows.
    this.#progress = Math.min(1, last.change_seq / this.#goal);
    const indexing = this.#work.ask("add", { rows });
    // The caller awaits the promise, unless reading the next page fails first. In that case, this
    // handler keeps a rejection from ending the process.
    indexing.catch(() => {});
    return indexing;
  }

  async #keepUp(position: FollowedIndex): Promise<void> {
    await this.#maintenance.run(position);
    // An idle worker would keep the memory of its last work.
    if (this.#progress === undefined) this.#work.release();
  }
}

/** Indexes a change, and advances the position past the change. */
function applyChange(position: FollowedIndex, row: ChangedRow): void {
  const document = documentOf(row);
  if (document) position.index.put(document);
  else position.index.remove(row.id);
  position.change_seq = row.change_seq;
  position.id = row.id;
}

/** Returns an empty index at the beginning of the dataset. */
function beginning({ dataset_id }: Clock): FollowedIndex {
  const index = openIndex();
  return { index, dataset_id, vocabulary: VOCABULARY, change_seq: 0, id: 0, clock: -1 };
}
