/** Runs tasks on an index in a worker, because they would delay requests on the main thread. */
import type { ChangePage } from "./changes/changes.ts";
import type { Snapshot } from "./snapshot_file.ts";
import type { IndexState } from "./index/record_index.ts";
import type { SegmentArrays } from "./index/segment.ts";

type Wait<Value> = Value | Promise<Value>;

/** Tasks of the worker. Buffers of segments are shared with the worker, not copied. */
export interface IndexTasks {
  /** Indexes a page of rows. */
  add(page: Pick<ChangePage, "rows">): Wait<void>;
  /** Returns the index of all pages so far. The next page begins another index. */
  take(): Wait<IndexState>;
  merge(segments: readonly SegmentArrays[]): Wait<SegmentArrays>;
  save(snapshot: Snapshot & { path: string; temporary: string }): Wait<void>;
  load(path: string): Wait<Snapshot | undefined>;
}

/** Message that requests a task. */
export interface WorkRequest {
  number: number;
  name: keyof IndexTasks;
  argument: unknown;
}

/** Message with the result of a task, or with the message of its error. */
export type WorkReply = { number: number; answer: unknown } | { number: number; failure: string };

/** Starts a worker for the first task, and another worker after one has ended. */
export class IndexWork {
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | undefined;
  #asked = 0;

  /**
   * Sends a task to the worker, and returns its result.
   *
   * @throws Error with the worker's message, or if the worker ended before its answer
   */
  async ask<Name extends keyof IndexTasks>(
    name: Name,
    ...[argument]: Parameters<IndexTasks[Name]>
  ): Promise<Awaited<ReturnType<IndexTasks[Name]>>> {
    const worker = this.#worker ??= this.#start();
    const number = ++this.#asked;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(number, waiting);
    worker.postMessage({ number, name, argument } satisfies WorkRequest);
    return await waiting.promise as Awaited<ReturnType<IndexTasks[Name]>>;
  }

  /** Ends the worker unless a task is waiting. The next task starts another one. */
  release(): void {
    if (this.#waiting.size === 0) this.close();
  }

  /** Ends the worker. Tasks that are under way fail. */
  close(): void {
    this.#worker?.terminate();
    this.#fail("closed");
  }

  #start(): Worker {
    const worker = new Worker(new URL("./index_worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<WorkReply>) => {
      const { resolve, reject } = this.#waiting.get(data.number)!;
      this.#waiting.delete(data.number);
      if ("failure" in data) reject(new Error(data.failure));
      else resolve(data.answer);
    });
    worker.addEventListener("messageerror", () => {
      worker.terminate();
      if (this.#worker === worker) this.#fail("an answer could not be read");
    });
    worker.addEventListener("error", (event) => {
      // An unhandled error would end the process.
      event.preventDefault();
      worker.terminate();
      if (this.#worker === worker) this.#fail(event.message);
    });
    return worker;
  }

  #fail(reason: string): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) {
      reject(new Error(`the index worker is gone: ${reason}`));
    }
    this.#waiting.clear();
  }
}
