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

/**
 * An index and its position: it contains all rows up to (change_seq, id) and all commits up to the
 * clock.
 */
export interface FollowedIndex extends SnapshotOrigin {
  index: RecordIndex;
}

/** Returns the position of an index. */
export function originOf({ index: _, ...origin }: FollowedIndex): SnapshotOrigin {
  return origin;
}

/** Merges and saves an index when that is due. */
export class IndexMaintenance {
  readonly #work: IndexWork;
  readonly #log: Log;
  readonly #path: string | undefined;
  #closed = false;
  /** Time before which failed work is not retried, on the clock of performance.now(). */
  #notBefore = 0;
  #saved = { clock: -1, at: -Infinity };

  constructor(work: IndexWork, { log, snapshot_path }: { log: Log; snapshot_path?: string }) {
    this.#work = work;
    this.#log = log;
    this.#path = snapshot_path;
  }

  /** Notes the position of the snapshot on disk. */
  noteSaved({ clock }: Pick<SnapshotOrigin, "clock">): void {
    this.#saved = { clock, at: performance.now() };
  }

  /** Stops further merges. Later failures are not logged, because stopping causes them. */
  close(): void {
    this.#closed = true;
  }

  /** Saves the index and merges segments if due. Never throws: a failure is retried later. */
  async run(position: FollowedIndex): Promise<void> {
    if (performance.now() < this.#notBefore) return;
    const { index } = position;
    try {
      if (this.#path !== undefined && this.#isToSave(position)) {
        await this.#save(this.#path, position);
      }
      let due = index.due();
      while (due !== undefined && !this.#closed) {
        index.adopt(due, await this.#work.ask("merge", due.map(({ arrays }) => arrays)));
        due = index.due();
      }
    } catch (error) {
      if (this.#closed) return;
      this.#notBefore = performance.now() + RETRY_MILLISECONDS;
      this.#log.warn("index not merged or saved", errorFields(error));
    }
  }

  #isToSave({ index, clock }: FollowedIndex): boolean {
    return index.records.count >= SNAPSHOT_DOCUMENTS && clock > this.#saved.clock &&
      performance.now() - this.#saved.at > SNAPSHOT_MILLISECONDS;
  }

  async #save(path: string, position: FollowedIndex): Promise<void> {
    const origin = originOf(position);
    // Two processes may share a directory. Each writes its own temporary file, and the file that is
    // renamed last remains.
    const temporary = `${path}.${crypto.randomUUID()}`;
    try {
      await this.#work.ask("save", { path, temporary, state: position.index.state(), origin });
      this.noteSaved(origin);
    } finally {
      // A stopped worker may have left a part of the file.
      await Deno.remove(temporary).catch(() => {});
    }
  }
}
