/** The records of a search cluster, which one of the processes keeps equal to the dataset. */
import type { Sql } from "../db/sql.ts";
import { Failure } from "../failures.ts";
import { errorFields, type Log } from "../log.ts";
import { pause, repeat } from "../repeat.ts";
import { readClock } from "./changes/history.ts";
import { CatchingUp, POLL_MILLISECONDS } from "./changes/sequence.ts";
import type { RecordAnswer, RecordRequest, RecordSource } from "./record_source.ts";
import { Cluster, ClusterError } from "./remote/cluster.ts";
import { fetchRecords } from "./remote/fetched_records.ts";
import { IndexWriter } from "./remote/index_writer.ts";
import { type IndexPosition, isUsable, RemoteIndex } from "./remote/remote_index.ts";

/** Max milliseconds of a search. A caller then gets a refusal that costs nothing. */
const SEARCH_MILLISECONDS = 3_000;

/** Milliseconds between two questions whether another process has written what is awaited. */
const AWAITED_MILLISECONDS = 50;

interface ClusterSourceOptions {
  sql: Sql;
  log: Log;
  /** Addresses of the nodes, with users and passwords. */
  nodes: readonly string[];
  /** Numbers of shards and of their copies, for an index that is created. */
  shards: number;
  replicas: number;
  poll_milliseconds?: number;
  /** Max milliseconds of a search; absent: SEARCH_MILLISECONDS. */
  search_milliseconds?: number;
}

/** The records of a cluster. Each process asks how far its index is, and tries to write it. */
export class ClusterSource implements RecordSource {
  obstacle: string | undefined;
  readonly #index: RemoteIndex;
  readonly #writer: IndexWriter;
  readonly #closing = new AbortController();
  /** Looking and writing are separate, because the first write of a dataset takes long. */
  readonly #looking = new CatchingUp(() => this.#look());
  readonly #writing = new CatchingUp(() => this.#write());
  readonly #first = Promise.withResolvers<void>();
  #following: Promise<unknown> | undefined;
  #now = "";
  /** Position of the cluster's index, if it can be searched. */
  #position: IndexPosition | undefined;
  #documents = 0;
  #caughtUpAt = performance.now();

  constructor(private readonly options: ClusterSourceOptions) {
    this.#index = new RemoteIndex(new Cluster(options.nodes));
    const { signal } = this.#closing;
    this.#writer = new IndexWriter({ ...options, index: this.#index, signal });
  }

  get state() {
    return {
      documents: this.#documents,
      bytes: 0,
      lag_seconds: (performance.now() - this.#caughtUpAt) / 1000,
      progress: this.#writer.progress,
    };
  }

  get ready(): boolean {
    return this.#position !== undefined;
  }

  get now(): string {
    if (!this.ready) throw new Failure("retrieval_unavailable");
    return this.#now;
  }

  async ask(request: RecordRequest): Promise<RecordAnswer> {
    const { log, search_milliseconds = SEARCH_MILLISECONDS } = this.options;
    try {
      return await fetchRecords(this.#index, { ...request, milliseconds: search_milliseconds });
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      log.warn("the search cluster has not answered", errorFields(error));
      throw new Failure("retrieval_unavailable");
    }
  }

  start(): Promise<void> {
    const { log, poll_milliseconds: pauseMs = POLL_MILLISECONDS } = this.options;
    const { signal } = this.#closing;
    const follow = (name: string, sequence: CatchingUp) =>
      repeat(log, () => sequence.refresh(), { pauseMs, signal, name });
    this.#following ??= Promise.all([
      follow("search cluster", this.#looking),
      follow("writer of the search cluster", this.#writing),
    ]).finally(() => this.#first.resolve());
    return this.#first.promise;
  }

  async refresh(): Promise<void> {
    const { signal } = this.#closing;
    const { change_seq } = await readClock(this.options.sql);
    for (;;) {
      await this.#writing.refresh();
      await this.#looking.refresh();
      if ((this.#position?.clock ?? -1) >= change_seq || signal.aborted) return;
      // Another process writes.
      await pause(AWAITED_MILLISECONDS, signal);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
    await Promise.all([this.#looking.settled(), this.#writing.settled()]);
    await this.#writer.close().catch(() => {});
  }

  async #write(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    await this.#writer.write(await readClock(this.options.sql));
  }

  /** Reads how far the cluster is. A cluster that is behind can be searched. */
  async #look(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const clock = await readClock(this.options.sql);
    this.#now = clock.now;
    try {
      const position = await this.#index.position();
      const usable = isUsable(position, clock.dataset_id) ? position : undefined;
      if (usable && usable.clock !== this.#position?.clock) {
        await this.#index.findRoutings();
        this.#documents = await this.#index.count();
      }
      this.#position = usable;
      this.obstacle = undefined;
    } catch (error) {
      if (error instanceof ClusterError) this.obstacle = "the search cluster is unavailable";
      throw error;
    }
    if (this.#position === undefined) return;
    if (this.#position.clock >= clock.change_seq) this.#caughtUpAt = performance.now();
    this.#first.resolve();
  }
}
