/**
 * Writes the changes of the dataset into a cluster. One process at a time has a lease for it. Two
 * writers would do no harm, because an older version of a record never replaces a newer one.
 */
import type { Sql } from "../../db/sql.ts";
import type { Log } from "../../log.ts";
import { Slices } from "../../slices.ts";
import { type ChangePage, changesAfter, documentOf, parseChanges } from "../changes/changes.ts";
import { type Clock, isOfHistory, VOCABULARY, whyStale } from "../changes/history.ts";
import { type IndexPosition, NAME, type RemoteIndex, type WrittenRecord } from "./remote_index.ts";
import { INDEX_FORMAT, storedOf } from "./stored_record.ts";

/** Seconds after which another process takes over from one that has died. */
const WRITER_LEASE_SECONDS = 8;

/**
 * Milliseconds of analysis before others get a turn. A turn takes 2 to 4 ms, whatever it serves. In
 * the usual slices of 5 ms, 51,746 records waited 20 s for their turns (2026-11-27).
 */
const ANALYSIS_MILLISECONDS = 20;

/** Position in the changes before the first one. */
const BEGINNING = { change_seq: 0, id: 0, clock: -1 };

interface WriterOptions {
  sql: Sql;
  log: Log;
  index: RemoteIndex;
  shards: number;
  replicas: number;
  /** Aborts when the process is closing. The writer then stops after the page at hand. */
  signal: AbortSignal;
}

/** An index that is written, with its position. */
interface OpenIndex {
  name: string;
  position: IndexPosition;
  /** Other indexes, which are deleted when this one is complete. */
  others: string[];
  /** False while an earlier index, or none, answers the searches. */
  is_published: boolean;
}

/** Writes changes while it has the lease. */
export class IndexWriter {
  readonly #token = crypto.randomUUID();
  #open: OpenIndex | undefined;
  /** Completed share of a build, from 0 to 1; undefined if none is under way. */
  progress: number | undefined;

  constructor(private readonly options: WriterOptions) {}

  /** Writes all changes up to a clock, if no other process has the lease. */
  async write(clock: Clock): Promise<void> {
    try {
      if (!await this.#lease()) return this.#forget();
      // After a failure, another process may have written. The position is therefore read again.
      if (this.#open !== undefined && !isOfHistory(this.#open.position, clock)) this.#forget();
      this.#open ??= await this.#find(clock);
      const { is_published, position } = this.#open;
      const isDone = is_published && position.clock === clock.change_seq;
      if (!isDone) await this.#writeUpTo(clock, this.#open);
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** Gives the lease back, so that another process need not wait for its end. */
  async close(): Promise<void> {
    await this.options.sql`
      update search_writer set lease_token = null, leased_until = null
      where lease_token = ${this.#token}
    `;
  }

  #forget(): void {
    this.#open = undefined;
    this.progress = undefined;
  }

  /** Takes or renews the lease. @returns whether this process has it */
  async #lease(): Promise<boolean> {
    const rows = await this.options.sql`
      insert into search_writer as w (lease_token, leased_until)
      values (${this.#token}, clock_timestamp() + make_interval(secs => ${WRITER_LEASE_SECONDS}))
      on conflict (only_row) do update
      set lease_token = excluded.lease_token, leased_until = excluded.leased_until
      where w.lease_token is null or w.lease_token = excluded.lease_token
        or w.leased_until < clock_timestamp()
      returning true
    `;
    return rows.length === 1;
  }

  /**
   * Returns the index to write: the published one, an unfinished one of an earlier writer, or a new
   * one. An index of another format or history cannot be continued.
   */
  async #find(clock: Clock): Promise<OpenIndex> {
    const { index, sql, log } = this.options;
    const { names, current } = await index.list();
    let empty: string | undefined;
    for (const name of names) {
      const position = await index.position(name);
      const reason = position?.format !== INDEX_FORMAT
        ? "its format is another one"
        : await whyStale(sql, position, clock);
      if (reason === undefined && position !== undefined) {
        const others = names.filter((one) => one !== name);
        return { name, position, others, is_published: name === current };
      }
      // The position is written first. An index without it was created by a request that timed out.
      if (position === undefined && name.startsWith(NAME)) empty = name;
      else log.info("index of the cluster is replaced", { index: name, reason });
    }
    const name = empty ?? await index.create(this.options);
    const { dataset_id } = clock;
    const position = { format: INDEX_FORMAT, vocabulary: VOCABULARY, dataset_id, ...BEGINNING };
    await index.write(name, { records: [], position });
    return { name, position, others: names.filter((one) => one !== name), is_published: false };
  }

  async #writeUpTo(clock: Clock, open: OpenIndex): Promise<void> {
    const { index, sql, signal } = this.options;
    const { name, position } = open;
    // A page is sent while the next one is read and analyzed.
    let sending = Promise.resolve();
    try {
      for await (const page of changesAfter(sql, position)) {
        const records = await writtenOf(page);
        await sending;
        if (signal.aborted || !await this.#lease()) return this.#forget();
        Object.assign(position, page.last);
        if (!open.is_published) this.progress = Math.min(1, position.change_seq / clock.change_seq);
        sending = index.write(name, { records, position: { ...position } });
        // It is awaited later. Until then its failure must not count as unhandled.
        sending.catch(() => {});
      }
    } finally {
      await sending;
    }
    position.clock = clock.change_seq;
    await index.refresh(name);
    await index.write(name, { records: [], position });
    if (!open.is_published || open.others.length > 0) {
      await index.publish(name, open.others);
      Object.assign(open, { is_published: true, others: [] });
    }
    this.progress = undefined;
  }
}

/** Analyzes the rows of a page. The event loop gets turns in between. */
async function writtenOf(page: ChangePage): Promise<WrittenRecord[]> {
  const slices = new Slices({ milliseconds: ANALYSIS_MILLISECONDS });
  const records: WrittenRecord[] = [];
  for (const row of parseChanges(page)) {
    const document = documentOf(row);
    const source = document && storedOf(document);
    records.push({ id: row.id, version: row.change_seq, source });
    if (slices.isOver) await slices.turn();
  }
  return records;
}
