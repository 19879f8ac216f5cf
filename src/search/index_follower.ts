/**
 * Keeps an index equal to the deliverable observations by following the dataset's changes (see
 * changes/sequence.ts). A worker does long work beside the index that answers. Its result is swapped
 * in when it is done.
 */
import { isFile } from "../db/exists.ts";
import type { Sql } from "../db/sql.ts";
import { errorFields, type Log } from "../log.ts";
import { SLICE_MILLISECONDS, Slices } from "../slices.ts";
import {
  type ChangedRow,
  type ChangePage,
  documentOf,
  parseChanges,
  readChanges,
} from "./changes/changes.ts";
import { type Clock, isOfHistory, readClock, VOCABULARY, whyStale } from "./changes/history.ts";
import { CatchingUp, pagesAfter, takeInSlices } from "./changes/sequence.ts";
import type { IndexState } from "./engine/segmented_index.ts";
import { ObservationIndex } from "./index/observation_index.ts";
import { type FollowedIndex, IndexMaintenance, originOf } from "./index_maintenance.ts";
import { IndexWork } from "./index_work.ts";
import { poll } from "./polling.ts";
import { ModelFollower } from "./semantics/model_follower.ts";

/** Rows of one page. An index that fills more than one is built by the worker. */
const PAGE_ROWS = 500;

/** Number of evictions between two turns of the event loop. */
const SLICE_EVICTIONS = 2_000;

/** Pages of changes of which the first has been read. */
interface UnreadPages {
  first: ChangePage;
  pages: AsyncGenerator<ChangePage, void, void>;
}

interface FollowerOptions {
  sql: Sql;
  log: Log;
  poll_milliseconds?: number;
  /** Path at which the index is saved and looked for at the start; if absent, it is not saved. */
  snapshot_path?: string;
  /** Called when a build begins, with what tells its share that is done. Returns what ends that. */
  watchBuild?: (progress: () => number) => () => void;
}

export class IndexFollower {
  readonly #options: FollowerOptions;
  readonly #work = new IndexWork();
  #position: FollowedIndex | undefined;
  #now = "";
  readonly #closing = new AbortController();
  readonly #catchingUp = new CatchingUp(() => this.#catchUp());
  readonly #maintenance: IndexMaintenance;
  readonly semantics: ModelFollower;
  /** Merging and saving, one at a time, beside the catching up. */
  #maintaining: Promise<void> | undefined;
  /** Share of an unfinished build, whose pages the worker holds. */
  #progress: number | undefined;
  /** The change sequence that is being followed up to. */
  #goal = 0;
  #caughtUpAt = performance.now();
  /** The database has failed since it was last read. */
  #doubted = false;
  #following: Promise<void> | undefined;
  readonly #first = Promise.withResolvers<void>();

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#maintenance = new IndexMaintenance(this.#work, options);
    this.semantics = new ModelFollower({
      ...options,
      learn: (state) => this.#work.ask("learn", state),
    });
  }

  /** Index of the dataset; undefined until the dataset has been loaded. */
  get index(): ObservationIndex | undefined {
    return this.#position?.index;
  }

  /** The database's time when it was last asked, in the form of instant.ts. */
  get now(): string {
    return this.#now;
  }

  /** Seconds since the index last held all changes, or since this follower was made. */
  get lagSeconds(): number {
    return (performance.now() - this.#caughtUpAt) / 1000;
  }

  /** Share of a build that is done, from 0 to 1; nothing if none is under way. */
  get progress(): number | undefined {
    return this.#progress;
  }

  /** Follows until closed; resolves when everything has been read once, or on close. */
  start(): Promise<void> {
    this.#following ??= poll(() => this.#follow(), {
      ...this.#options,
      signal: this.#closing.signal,
      complaint: "index cannot follow the dataset",
      relief: "index follows the dataset again",
    }).finally(() => this.#first.resolve());
    return this.#first.promise;
  }

  /** Reads all changes that are committed by now. */
  refresh(): Promise<void> {
    return this.#catchingUp.refresh();
  }

  /** Resolves when nothing is read any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#maintenance.close();
    this.#work.close();
    await this.#following;
    await this.#catchingUp.settled();
    await this.#maintaining;
    // Work that was under way may have started the worker again.
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
    const slices = new Slices();
    while (!position.index.evictExpired(clock.now, SLICE_EVICTIONS)) await slices.turn();
    while (!position.index.prepareNearForms(SLICE_MILLISECONDS)) await slices.turn();
    if (position !== this.#position) this.semantics.forget();
    await this.semantics.follow(clock.model_id);
    // The first model is learned before anything is answered, where nobody else is at it.
    if (this.#position === undefined && this.semantics.model === undefined) {
      await this.semantics.keep(position.index);
      await this.semantics.follow((await readClock(this.#options.sql)).model_id);
    }
    this.#position = position;
    this.#now = clock.now;
    this.#caughtUpAt = performance.now();
    this.#keep(() => this.#keepUp(position));
  }

  /** Begins on merging and saving unless it is under way. */
  #keep(work: () => Promise<void>): void {
    this.#maintaining ??= work().finally(() => this.#maintaining = undefined);
  }

  /**
   * Returns the position from which to follow. Another history starts from the beginning, while the
   * present index answers.
   */
  async #positionIn(clock: Clock): Promise<FollowedIndex> {
    if (this.#position === undefined) return await this.#restore(clock) ?? beginning(clock);
    if (!isOfHistory(this.#position, clock)) return beginning(clock);
    if (this.#doubted) {
      // A failover may have lost commits and gone on before the clock was seen again.
      const reason = await whyStale(this.#options.sql, originOf(this.#position), clock);
      this.#doubted = false;
      if (reason !== undefined) return beginning(clock);
    }
    return this.#position;
  }

  /** The saved index, if there is one that can be followed on from. */
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
      const index = indexOf(state);
      this.#maintenance.noteSaved(origin);
      log.info("index restored", { documents: index.size });
      return { ...origin, index };
    } catch (error) {
      if (this.#closed) throw error;
      log.warn("index snapshot refused", errorFields(error));
    } finally {
      this.#work.release();
    }
  }

  /** @returns whether the end was reached; closing stops it before */
  async #readUpTo(position: FollowedIndex): Promise<boolean> {
    const { sql } = this.#options;
    const pages = pagesAfter<ChangePage>(position, {
      limit: PAGE_ROWS,
      read: (page) => readChanges(sql, page),
    });
    for await (const page of pages) {
      if (page.count === PAGE_ROWS && position.index.size === 0) {
        return await this.#build(position, { first: page, pages });
      }
      await takeInSlices(parseChanges(page), (row) => applyChange(position, row));
      if (this.#closed) return false;
      // Far behind, segments would become so many that searches suffer.
      if (page.count === PAGE_ROWS) this.#keep(() => this.#maintenance.run(position));
    }
    return true;
  }

  /**
   * The worker indexes one page while the next one is read. It stays for what follows: the first
   * model is learned by it.
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
    // Discards what a failed build has left in the worker.
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
    // The position moves only here, so a build that fails before has changed nothing.
    Object.assign(position, last.last, { index: indexOf(state) });
    this.#options.log.debug("index built", {
      documents: position.index.size,
      ms: Math.round(performance.now() - started),
    });
    return true;
  }

  /** Has the worker index a page. */
  #index({ rows, last }: ChangePage): Promise<void> {
    // Writes are of similar sizes, so their number tells how far it is without counting rows.
    this.#progress = Math.min(1, last.change_seq / this.#goal);
    const indexing = this.#work.ask("add", { rows });
    // Awaited by the caller; a database that fails in between leaves nobody to hear of it.
    indexing.catch(() => {});
    return indexing;
  }

  async #keepUp(position: FollowedIndex): Promise<void> {
    await this.#maintenance.run(position);
    await this.semantics.keep(position.index);
    // An idle worker would keep the memory of its work.
    if (this.#progress === undefined) this.#work.release();
  }
}

/** Indexes a change, and moves the position behind it. */
function applyChange(position: FollowedIndex, row: ChangedRow): void {
  const document = documentOf(row);
  if (document) position.index.put(document);
  else position.index.remove(row.id);
  position.change_seq = row.change_seq;
  position.id = row.id;
}

function beginning({ dataset_id }: Clock): FollowedIndex {
  const index = new ObservationIndex({ merges: "elsewhere" });
  return { index, dataset_id, vocabulary: VOCABULARY, change_seq: 0, id: 0, clock: -1 };
}

function indexOf(state: IndexState): ObservationIndex {
  return ObservationIndex.of(state, { merges: "elsewhere" });
}
