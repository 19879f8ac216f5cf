/**
 * Keeps an index equal to the deliverable observations by following the dataset's changes. Writers
 * hold the dataset's clock until they commit, so change_seq grows in the order of commits: whoever
 * pages by (change_seq, id) skips nothing, and the first load is the same walk from the beginning.
 */
import type { Sql } from "../db/connect.ts";
import { errorFields, type Log } from "../log.ts";
import { type ChangedRow, documentOf, readChanges } from "./changes.ts";
import { ObservationIndex } from "./engine/observation_index.ts";

const POLL_MILLISECONDS = 250;

/** A database that fails is asked again after a second at the latest. */
const RETRY_MILLISECONDS_MAX = 1000;

/** Rows of one page. */
const PAGE_ROWS = 500;

/** The event loop is given back after so much indexing, for searches to be answered. */
const SLICE_MILLISECONDS = 5;

/** How far an index has followed: all rows up to (change_seq, id), all commits up to the clock. */
interface Position {
  index: ObservationIndex;
  change_seq: number;
  id: number;
  clock: number;
}

const beginning = (): Position => ({
  index: new ObservationIndex(),
  change_seq: 0,
  id: 0,
  clock: -1,
});

export interface FollowerOptions {
  sql: Sql;
  log: Log;
  poll_milliseconds?: number;
}

export class Follower {
  readonly #options: FollowerOptions;
  #position = beginning();
  #loaded = false;
  #now = "";
  #closed = false;
  /** The catching up that was asked for last; there is never more than one at a time. */
  #latest: Promise<void> = Promise.resolve();
  #following: Promise<void> | undefined;
  readonly #first = Promise.withResolvers<void>();
  #wake = () => {};

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  get index(): ObservationIndex {
    return this.#position.index;
  }

  /** The database's time when it was last asked, in the form of instant.ts. */
  get now(): string {
    return this.#now;
  }

  get loaded(): boolean {
    return this.#loaded;
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
    await this.#following;
    await this.#latest.catch(() => {});
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
    const [clock] = await this.#options.sql<[{ change_seq: number; now: string }]>`
      select
        change_seq,
        to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now
      from dataset_clock
    `;
    // A clock that runs backwards is another history (a restored backup, a failover that lost
    // commits): the index is built anew beside the one that answers.
    const position = clock.change_seq < this.#position.clock ? beginning() : this.#position;
    if (clock.change_seq > position.clock && !await this.#readUpTo(position)) return;
    position.clock = clock.change_seq;
    position.index.evictExpired(clock.now);
    this.#position = position;
    this.#now = clock.now;
    this.#loaded = true;
  }

  /** @returns whether the end was reached; closing stops it before */
  async #readUpTo(position: Position): Promise<boolean> {
    while (!this.#closed) {
      const rows = await readChanges(this.#options.sql, { after: position, limit: PAGE_ROWS });
      await this.#apply(position, rows);
      if (rows.length < PAGE_ROWS) return true;
    }
    return false;
  }

  async #apply(position: Position, rows: ChangedRow[]): Promise<void> {
    let sliceStart = performance.now();
    for (const row of rows) {
      const document = documentOf(row);
      if (document) position.index.put(document);
      else position.index.remove(row.id);
      position.change_seq = row.change_seq;
      position.id = row.id;
      if (performance.now() - sliceStart > SLICE_MILLISECONDS) {
        await new Promise((resolve) => setTimeout(resolve));
        sliceStart = performance.now();
      }
    }
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
