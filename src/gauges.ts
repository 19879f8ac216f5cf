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
  retriever: Pick<Retriever, "source">;
}

/**
 * Registers gauges whose values come from the database or the index. Returns a function that
 * updates all values, and omits the values of the database if it is unavailable.
 */
export function createGauges(
  { registry, sql, log, retriever }: GaugesOptions,
): () => Promise<void> {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const documents = gauge("ce_index_documents", "Observations in the index.");
  const bytes = gauge("ce_index_bytes", "Memory of the index.");
  const lag = gauge(
    "ce_index_lag_seconds",
    "Time since the index last contained all changes of the dataset.",
  );
  const fromDatabase = {
    ready: gauge("ce_queue_ready", "Messages that wait to be taken.", "queue"),
    oldest: gauge(
      "ce_queue_oldest_seconds",
      "Age of the oldest message, including messages in work; 0 if there is none.",
      "queue",
    ),
    age: gauge(
      "ce_source_age_seconds",
      "Time since the last success of the source's most overdue schedule.",
      "source",
    ),
    interval: gauge(
      "ce_source_interval_seconds",
      "Interval of the schedule whose age ce_source_age_seconds reports.",
      "source",
    ),
    records: gauge(
      "ce_feed_records",
      "Accepted records in the last complete run of an operator's own feed.",
      "source",
    ),
    usual: gauge(
      "ce_feed_usual_records",
      "Accepted records of an operator's own full listing before it shrank.",
      "source",
    ),
  };
  const readQueue = async (queue: typeof QUEUES[number]) => {
    const { queue_visible_length, oldest_msg_age_sec } = await readMetrics(sql, queue);
    fromDatabase.ready.set({ queue }, queue_visible_length);
    fromDatabase.oldest.set({ queue }, oldest_msg_age_sec ?? 0);
  };
  const readSources = async () => {
    for (const { source, age, interval } of await listSchedules(sql)) {
      fromDatabase.age.set({ source }, age);
      fromDatabase.interval.set({ source }, interval);
    }
  };
  const readFeeds = async () => {
    for (const { source, accepted, usual } of await readFeedHealth(sql)) {
      if (accepted !== null) fromDatabase.records.set({ source }, accepted);
      if (usual !== null) fromDatabase.usual.set({ source }, usual);
    }
  };
  return async () => {
    const { state } = retriever.source;
    documents.set(state.documents);
    bytes.set(state.bytes);
    lag.set(state.lag_seconds);
    for (const one of Object.values(fromDatabase)) one.reset();
    try {
      await Promise.all([...QUEUES.map(readQueue), readSources(), readFeeds()]);
    } catch (error) {
      log.warn("metrics of the database left out", errorFields(error));
    }
  };
}

/** Lists the most overdue schedule of each source. One that never succeeded is infinitely old. */
function listSchedules(sql: Sql) {
  return sql<{ source: string; age: number; interval: number }[]>`
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
}
