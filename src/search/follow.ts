/**
 * Keeps an index equal to the deliverable observations by following the dataset's changes. Writers
 * hold the dataset's clock until they commit, so change_seq grows in the order of commits: whoever
 * pages by (change_seq, id) skips nothing, and the first load is the same walk from the beginning.
 * What takes long is done by a worker beside the index that answers, and swapped in when it is done.
 */
import type { Sql } from "../db/connect.ts";
import { errorFields, type Log } from "../log.ts";
import { type ChangePage, documentOf, parseChanges, type Place, readChanges } from "./changes.ts";
import { type IndexState, ObservationIndex } from "./engine/observation_index.ts";
import { type Clock, isOfHistory, readClock, VOCABULARY, whyStale } from "./history.ts";
import { IndexWork } from "./index_work.ts";
import { Semantics } from "./semantics/keeper.ts";
import { originOf, type Position, Upkeep } from "./upkeep.ts";

const POLL_MILLISECONDS = 250;

/** A database that fails is asked again after a second at the latest. */
const RETRY_MILLISECONDS_MAX = 1000;

/** Rows of one page. An index that fills more than one is built by the worker. */
const PAGE_ROWS = 500;

/** The event loop is given back after so much indexing, for searches to be answered. */
const SLICE_MILLISECONDS = 5;
const SLICE_EVICTIONS = 2_000;

export interface FollowerOptions {
  sql: Sql;
  log: Log;
  poll_milliseconds?: number;
  /** Where the index is saved and looked for at the start; absent: nowhere. */
  snapshot_path?: string;
  /** Called when a build begins, with what tells its share that is done. Returns what ends that. */
  watchBuild?: (progress: () => number) => () => void;
}

export class Follower {
  readonly #options: FollowerOptions;
  readonly #work = new IndexWork();
  #position: Position | undefined;
  #now = "";
  #closed = false;
  /** The catching up that was asked for last; there is never more than one at a time. */
  #latest: Promise<void> = Promise.resolve();
  readonly #upkeep: Upkeep;
  readonly semantics: Semantics;
  /** Merging and saving, one at a time, beside the catching up. */
  #keeping: Promise<void> | undefined;
  /** The worker holds what has been read of a build. */
  #building = false;
  #progress: number | undefined;
  /** The change sequence that is being followed up to. */
  #goal = 0;
  #caughtUpAt = performance.now();
  /** The database has failed since it was last read. */
  #doubted = false;
  #following: Promise<void> | undefined;
  readonly #first = Promise.withResolvers<void>();
  #wake = () => {};

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#upkeep = new Upkeep(this.#work, options);
    this.semantics = new Semantics({ ...options, work: this.#work });
  }

  /** Nothing until the dataset has been loaded. */
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
    this.#following ??= this.#follow();
    return this.#first.promise;
  }

  /** Reads all changes that are committed by now. */
  refresh(): Promise<void> {
    this.#latest = this.#latest.catch(() => {}).then(() => this.#catchUp());
    return this.#latest;
  }

  /** Resolves when nothing is read any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    this.#upkeep.close();
    this.#work.close();
    await this.#following;
    await this.#latest.catch(() => {});
    await this.#keeping;
    // What began in between has started it again.
    this.#work.close();
  }

  async #follow(): Promise<void> {
    const { log, poll_milliseconds = POLL_MILLISECONDS } = this.#options;
    let failures = 0;
    while (!this.#closed) {
      try {
        await this.refresh();
        if (failures > 0) log.info("index follows the dataset again", { failures });
        failures = 0;
        this.#first.resolve();
      } catch (error) {
        if (this.#closed) break;
        this.#doubted = true;
        failures++;
        // An outage is told at its start and then at ever longer intervals.
        if (Number.isInteger(Math.log2(failures))) {
          log.error("index cannot follow the dataset", { failures, ...errorFields(error) });
        }
      }
      const backoff = Math.min(poll_milliseconds * 2 ** failures, RETRY_MILLISECONDS_MAX);
      await this.#pause(failures > 0 ? backoff : poll_milliseconds);
    }
    this.#first.resolve();
  }

  async #catchUp(): Promise<void> {
    if (this.#closed) return;
    const clock = await readClock(this.#options.sql);
    this.#goal = clock.change_seq;
    const position = await this.#positionIn(clock);
    if (clock.change_seq > position.clock && !await this.#readUpTo(position)) return;
    position.clock = clock.change_seq;
    while (!position.index.evictExpired(clock.now, SLICE_EVICTIONS)) await nextTurn();
    while (!position.index.prepareNearForms(SLICE_MILLISECONDS)) await nextTurn();
    if (position !== this.#position) this.semantics.forget();
    await this.semantics.follow(clock.model_id);
    // The first model is learned before anything is answered, where nobody else is at it.
    if (this.#position === undefined && this.semantics.model === undefined) {
      await this.#learnFirst(position);
    }
    this.#position = position;
    this.#now = clock.now;
    this.#caughtUpAt = performance.now();
    this.#keep(() => this.#keepUp(position));
  }

  /** Begins on merging and saving unless it is under way. */
  #keep(work: () => Promise<void>): void {
    this.#keeping ??= work().finally(() => this.#keeping = undefined);
  }

  /** Where to go on from: for another history, from the beginning, beside the index that answers. */
  async #positionIn(clock: Clock): Promise<Position> {
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
  async #restore(clock: Clock): Promise<Position | undefined> {
    const { snapshot_path, sql, log } = this.#options;
    if (snapshot_path === undefined || !await isFile(snapshot_path)) return undefined;
    try {
      const snapshot = await this.#work.ask("load", snapshot_path);
      if (snapshot === undefined) return undefined;
      const { state, origin } = snapshot;
      const reason = await whyStale(sql, origin, clock);
      if (reason !== undefined) throw new Error(reason);
      const index = indexOf(state);
      this.#upkeep.noteSaved(origin);
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
  async #readUpTo(position: Position): Promise<boolean> {
    let page = await this.#read(position);
    if (page.count === PAGE_ROWS && position.index.size === 0) {
      return await this.#build(position, page);
    }
    for (;;) {
      await this.#apply(position, page);
      if (this.#closed) return false;
      if (page.count < PAGE_ROWS) return true;
      // Far behind, segments would become so many that searches suffer.
      this.#keep(() => this.#upkeep.run(position));
      page = await this.#read(position);
    }
  }

  #read(after: Place): Promise<ChangePage> {
    return readChanges(this.#options.sql, { after, limit: PAGE_ROWS });
  }

  /** The worker indexes one page while the next one is read. */
  async #build(position: Position, first: ChangePage): Promise<boolean> {
    this.#building = true;
    this.#progress = 0;
    const endWatch = this.#options.watchBuild?.(() => this.#progress ?? 1);
    try {
      return await this.#buildFrom(position, first);
    } finally {
      endWatch?.();
      this.#building = false;
      this.#progress = undefined;
      this.#work.release();
    }
  }

  async #buildFrom(position: Position, first: ChangePage): Promise<boolean> {
    const started = performance.now();
    // What a build that failed has left.
    await this.#work.ask("take");
    let page = first;
    let indexing: Promise<void> = Promise.resolve();
    for (;;) {
      await indexing;
      if (this.#closed) return false;
      indexing = this.#work.ask("add", { rows: page.rows });
      // Awaited above and below; a database that fails in between leaves nobody to hear of it.
      indexing.catch(() => {});
      if (page.count < PAGE_ROWS) break;
      // Writes are of similar sizes, so their number tells how far it is without counting rows.
      this.#progress = Math.min(1, page.last.change_seq / this.#goal);
      page = await this.#read(page.last);
    }
    await indexing;
    const state = await this.#work.ask("take");
    // Not before: a build that fails in the middle has moved nothing.
    Object.assign(position, page.last, { index: indexOf(state) });
    this.#options.log.info("index built", {
      documents: position.index.size,
      ms: Math.round(performance.now() - started),
    });
    return true;
  }

  async #apply(position: Position, page: ChangePage): Promise<void> {
    let sliceStart = performance.now();
    for (const row of parseChanges(page)) {
      const document = documentOf(row);
      if (document) position.index.put(document);
      else position.index.remove(row.id);
      position.change_seq = row.change_seq;
      position.id = row.id;
      if (performance.now() - sliceStart > SLICE_MILLISECONDS) {
        await nextTurn();
        sliceStart = performance.now();
      }
    }
  }

  async #learnFirst({ index }: Position): Promise<void> {
    await this.semantics.keep(index);
    await this.semantics.follow((await readClock(this.#options.sql)).model_id);
  }

  async #keepUp(position: Position): Promise<void> {
    await this.#upkeep.run(position);
    await this.semantics.keep(position.index);
    // An idle worker would keep the memory of its work.
    if (!this.#building) this.#work.release();
  }

  /** Ends early on close. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#closed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}

/** Gives the event loop back. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function beginning({ dataset_id }: Clock): Position {
  const index = new ObservationIndex({ merges: "elsewhere" });
  return { index, dataset_id, vocabulary: VOCABULARY, change_seq: 0, id: 0, clock: -1 };
}

function indexOf(state: IndexState): ObservationIndex {
  return ObservationIndex.of(state, { merges: "elsewhere" });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    return false;
  }
}
