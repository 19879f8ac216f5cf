/** Metrics of the queue, the index and the sources, which are computed when they are read. */
import { Gauge, type Registry } from "prom-client";
import type { Sql } from "./db/connect.ts";
import { QUEUES, readMetrics } from "./db/queue.ts";
import { readFeedHealth } from "./ingest/refresh/feed_health.ts";
import { errorFields, type Log } from "./log.ts";
import type { Retriever } from "./search/retriever.ts";

interface GaugesOptions {
  registry: Registry;
  sql: Sql;
  log: Log;
  retriever: Pick<Retriever, "state">;
}

/** Gauges whose values come from the database or the index. */
export class Gauges {
  readonly #options: GaugesOptions;
  readonly #ready: Gauge<"queue">;
  readonly #oldest: Gauge<"queue">;
  readonly #sourceAge: Gauge<"source">;
  readonly #sourceInterval: Gauge<"source">;
  readonly #feedRecords: Gauge<"source">;
  readonly #feedUsual: Gauge<"source">;
  readonly #documents: Gauge;
  readonly #bytes: Gauge;
  readonly #lag: Gauge;

  constructor(options: GaugesOptions) {
    this.#options = options;
    const registers = [options.registry];
    const labelNames = ["queue"] as const;
    this.#ready = new Gauge({
      name: "ce_queue_ready",
      help: "Messages that wait to be taken.",
      labelNames,
      registers,
    });
    this.#oldest = new Gauge({
      name: "ce_queue_oldest_seconds",
      help: "Age of the oldest message, including messages in work; 0 if there is none.",
      labelNames,
      registers,
    });
    this.#sourceAge = new Gauge({
      name: "ce_source_age_seconds",
      help: "Time since the last success of the source's most overdue schedule.",
      labelNames: ["source"],
      registers,
    });
    this.#sourceInterval = new Gauge({
      name: "ce_source_interval_seconds",
      help: "Interval of the schedule whose age ce_source_age_seconds reports.",
      labelNames: ["source"],
      registers,
    });
    this.#feedRecords = new Gauge({
      name: "ce_feed_records",
      help: "Accepted records in the last complete run of an operator's own feed.",
      labelNames: ["source"],
      registers,
    });
    this.#feedUsual = new Gauge({
      name: "ce_feed_usual_records",
      help: "Accepted records of an operator's own full listing before it shrank.",
      labelNames: ["source"],
      registers,
    });
    this.#documents = new Gauge({
      name: "ce_index_documents",
      help: "Observations in the index.",
      registers,
    });
    this.#bytes = new Gauge({
      name: "ce_index_bytes",
      help: "Memory of the index.",
      registers,
    });
    this.#lag = new Gauge({
      name: "ce_index_lag_seconds",
      help: "Time since the index last contained all changes of the dataset.",
      registers,
    });
  }

  /** Updates all values. Omits the values of the database if it is unavailable. */
  async collect(): Promise<void> {
    const { documents, bytes, lag_seconds } = this.#options.retriever.state;
    this.#documents.set(documents);
    this.#bytes.set(bytes);
    this.#lag.set(lag_seconds);
    this.#ready.reset();
    this.#oldest.reset();
    this.#sourceAge.reset();
    this.#sourceInterval.reset();
    this.#feedRecords.reset();
    this.#feedUsual.reset();
    try {
      await Promise.all([
        ...QUEUES.map((queue) => this.#readQueue(queue)),
        this.#readSources(),
        this.#readFeeds(),
      ]);
    } catch (error) {
      this.#options.log.warn("metrics of the database left out", errorFields(error));
    }
  }

  async #readQueue(queue: typeof QUEUES[number]): Promise<void> {
    const metrics = await readMetrics(this.#options.sql, queue);
    this.#ready.set({ queue }, metrics.queue_visible_length);
    this.#oldest.set({ queue }, metrics.oldest_msg_age_sec ?? 0);
  }

  async #readSources(): Promise<void> {
    // A schedule that has never succeeded is infinitely old.
    const rows = await this.#options.sql<{ source: string; age: number; interval: number }[]>`
      select distinct on (s.name)
        s.name as source,
        a.age,
        a.interval
      from source_feeds f
      join sources s on s.id = f.source_id
      cross join lateral (
        select
          coalesce(extract(epoch from now() - f.last_succeeded_at), 'infinity')::float8 as age,
          extract(epoch from f.refresh_interval)::float8 as interval
      ) a
      order by s.name, a.age / a.interval desc
    `;
    for (const { source, age, interval } of rows) {
      this.#sourceAge.set({ source }, age);
      this.#sourceInterval.set({ source }, interval);
    }
  }

  async #readFeeds(): Promise<void> {
    for (const { source, accepted, usual } of await readFeedHealth(this.#options.sql)) {
      if (accepted !== null) this.#feedRecords.set({ source }, accepted);
      if (usual !== null) this.#feedUsual.set({ source }, usual);
    }
  }
}
