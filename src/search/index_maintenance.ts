/** Merges and saves an index in the worker. Searches are answered even if both fail. */
import { errorFields, type Log } from "../log.ts";
import type { SnapshotOrigin } from "./changes/history.ts";
import type { RecordIndex } from "./index/record_index.ts";
import type { IndexWork } from "./index_work.ts";

/** Min number of documents of a snapshot. A smaller index is built as fast as it is loaded. */
const SNAPSHOT_DOCUMENTS = 2_000;

/** Min milliseconds between two snapshots. A restart has to read only the changes since then. */
const SNAPSHOT_MILLISECONDS = 10 * 60_000;

/** Milliseconds before a failed merge or save is tried again. */
const RETRY_MILLISECONDS = 60_000;

/** An index, and the position up to which it contains all changes. */
export interface FollowedIndex {
  index: RecordIndex;
  origin: SnapshotOrigin;
}

interface MaintenanceOptions {
  log: Log;
  snapshot_path?: string;
  /** Ends merging. Later failures are not logged, because stopping causes them. */
  signal: AbortSignal;
}

/** Merges and saves an index when that is due. */
export class IndexMaintenance {
  /** Time before which failed work is not retried, on the clock of performance.now(). */
  #notBefore = 0;
  #saved = { clock: -1, at: -Infinity };

  constructor(private readonly work: IndexWork, private readonly options: MaintenanceOptions) {}

  /** Notes the position of the snapshot on disk. */
  noteSaved({ clock }: Pick<SnapshotOrigin, "clock">): void {
    this.#saved = { clock, at: performance.now() };
  }

  /** Saves the index and merges segments if due. Never throws: a failure is retried later. */
  async run(position: FollowedIndex): Promise<void> {
    if (performance.now() < this.#notBefore) return;
    const { log, snapshot_path, signal } = this.options;
    const { index } = position;
    try {
      if (snapshot_path !== undefined && this.#isToSave(position)) {
        const origin = { ...position.origin };
        await this.work.ask("save", { path: snapshot_path, segments: index.segments(), origin });
        this.noteSaved(origin);
      }
      for (let due = index.due(); due !== undefined && !signal.aborted; due = index.due()) {
        index.adopt(due, await this.work.ask("merge", due.map(({ arrays }) => arrays)));
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#notBefore = performance.now() + RETRY_MILLISECONDS;
      log.warn("index not merged or saved", errorFields(error));
    }
  }

  #isToSave({ index, origin }: FollowedIndex): boolean {
    return index.records.count >= SNAPSHOT_DOCUMENTS && origin.clock > this.#saved.clock &&
      performance.now() - this.#saved.at > SNAPSHOT_MILLISECONDS;
  }
}
