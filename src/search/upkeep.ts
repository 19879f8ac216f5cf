/** Merging and saving an index: neither is needed to answer, and both are done by the worker. */
import { errorFields, type Log } from "../log.ts";
import type { ObservationIndex } from "./engine/observation_index.ts";
import type { IndexWork } from "./index_work.ts";
import type { SnapshotOrigin } from "./snapshot_file.ts";

/** A smaller index is built as fast as it is loaded. */
const SNAPSHOT_DOCUMENTS = 2_000;

/** A restart reads the changes of so long at most. */
const SNAPSHOT_MILLISECONDS = 10 * 60_000;

/** What has failed is not tried again before. */
const RETRY_MILLISECONDS = 60_000;

/** How far an index has followed: all rows up to (change_seq, id), all commits up to the clock. */
export interface Position extends SnapshotOrigin {
  index: ObservationIndex;
}

export function originOf({ index: _, ...origin }: Position): SnapshotOrigin {
  return origin;
}

export class Upkeep {
  readonly #work: IndexWork;
  readonly #log: Log;
  readonly #path: string | undefined;
  #closed = false;
  #notBefore = 0;
  #saved = { clock: -1, at: -Infinity };

  constructor(work: IndexWork, { log, snapshot_path }: { log: Log; snapshot_path?: string }) {
    this.#work = work;
    this.#log = log;
    this.#path = snapshot_path;
  }

  /** What is on disk has followed so far. */
  noteSaved({ clock }: Pick<SnapshotOrigin, "clock">): void {
    this.#saved = { clock, at: performance.now() };
  }

  /** From now on failures are those of stopping. */
  close(): void {
    this.#closed = true;
  }

  /** Saves and merges what is due. Never throws: what fails is tried again later. */
  async run(position: Position): Promise<void> {
    if (performance.now() < this.#notBefore) return;
    const { index } = position;
    try {
      if (this.#path !== undefined && this.#isToSave(position)) {
        await this.#save(this.#path, position);
      }
      let due = index.mergeable();
      while (due !== undefined && !this.#closed) {
        index.adopt(due, await this.#work.ask("merge", due));
        due = index.mergeable();
      }
    } catch (error) {
      if (this.#closed) return;
      this.#notBefore = performance.now() + RETRY_MILLISECONDS;
      this.#log.warn("index not merged or saved", errorFields(error));
    }
  }

  #isToSave({ index, clock }: Position): boolean {
    return index.size >= SNAPSHOT_DOCUMENTS && clock > this.#saved.clock &&
      performance.now() - this.#saved.at > SNAPSHOT_MILLISECONDS;
  }

  async #save(path: string, position: Position): Promise<void> {
    const origin = originOf(position);
    // Two processes may share a directory: each writes a file of its own, the last one stays.
    const beside = `${path}.${crypto.randomUUID()}`;
    try {
      await this.#work.ask("save", { path, beside, state: position.index.state(), origin });
      this.noteSaved(origin);
    } finally {
      // What a worker that was stopped has left of it.
      await Deno.remove(beside).catch(() => {});
    }
  }
}
