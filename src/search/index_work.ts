/** Runs tasks on an index in a worker, because they would delay requests on the main thread. */
import type { IndexTasks, WorkReply, WorkRequest } from "./index_worker.ts";

/** Starts a worker for the first task, and another worker after one has ended. */
export class IndexWork {
  /** Tasks without an answer. The worker answers in the order of the requests. */
  #waiting: PromiseWithResolvers<unknown>[] = [];
  #worker: Worker | undefined;

  /**
   * Returns the result of a task.
   * @throws Error with the worker's message, or if the worker ended before its answer
   */
  async ask<Name extends keyof IndexTasks>(
    name: Name,
    ...[argument]: Parameters<IndexTasks[Name]>
  ): Promise<ReturnType<IndexTasks[Name]>> {
    this.#worker ??= this.#start();
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.push(waiting);
    this.#worker.postMessage({ name, argument } satisfies WorkRequest);
    return await waiting.promise as ReturnType<IndexTasks[Name]>;
  }

  /** Ends the worker unless a task is waiting. The next task starts another one. */
  release(): void {
    if (this.#waiting.length === 0) this.close();
  }

  /** Ends the worker. Tasks that are under way fail. */
  close(reason = "closed"): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting) {
      reject(new Error(`the index worker is gone: ${reason}`));
    }
    this.#waiting = [];
  }

  #start(): Worker {
    const worker = new Worker(new URL("./index_worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<WorkReply>) => {
      const { resolve, reject } = this.#waiting.shift()!;
      if ("failure" in data) reject(new Error(data.failure));
      else resolve(data.answer);
    };
    worker.onmessageerror = () => this.close("an answer could not be read");
    worker.onerror = (event) => {
      // An unhandled error would end the process.
      event.preventDefault();
      this.close(event.message);
    };
    return worker;
  }
}
