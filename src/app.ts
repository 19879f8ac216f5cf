/** The service over a database: its index, actions, doors and background work. */
import { KeyIdentities } from "./accounts/key_identities.ts";
import { KeyUses } from "./accounts/key_uses.ts";
import { KnownKeys } from "./accounts/known_keys.ts";
import { type Actions, createActions } from "./actions.ts";
import type { Settings } from "./config.ts";
import type { Database } from "./db/connect.ts";
import { migrationsCurrent } from "./db/migrate.ts";
import { Failure } from "./failures.ts";
import { createHandler, type Handler, type Obstacle } from "./http/handler.ts";
import { Acquirer } from "./ingest/acquire.ts";
import { type AskingSettings, createAsking } from "./ingest/ask.ts";
import { excerptsAreLimited, upgradeExcerpts } from "./ingest/cut_excerpts.ts";
import { batchSizeOf } from "./ingest/pipeline.ts";
import { reachesSources, warnOfSources } from "./ingest/reach.ts";
import { type Refresher, startRefresher } from "./ingest/refresh/refresher.ts";
import type { Source } from "./ingest/source.ts";
import { SOURCES } from "./ingest/sources.ts";
import { Gauges } from "./gauges.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { createEndpoint } from "./mcp/endpoint.ts";
import { type Consumer, startConsumer } from "./operations/consumer.ts";
import { LeaseReturns } from "./operations/lease_returns.ts";
import { ObservationTexts } from "./operations/observation_text.ts";
import type { RunContext } from "./operations/run.ts";
import {
  embeddingEndpointOf,
  Embeddings,
  type EmbeddingSettings,
} from "./search/embeddings/embeddings.ts";
import { modelPlannerOf, type PlannerSettings } from "./search/planning/model_planner.ts";
import { createRetriever, type Retriever } from "./search/retriever.ts";

export interface AppOptions {
  db: Database;
  settings: Pick<
    Settings,
    | "MCP_TOOLS"
    | "ALLOWED_ORIGINS"
    | "WORKERS"
    | "OPERATION_DEADLINE_SECONDS"
    | "OPERATION_RETENTION_DAYS"
    | "ACQUISITION_RECORDS"
    | "ACQUISITION_MILLISECONDS"
    | keyof AskingSettings
    | keyof PlannerSettings
    | keyof EmbeddingSettings
  >;
  log: Log;
  /** Where the index is saved for the next start; absent: nowhere. */
  snapshot_path?: string;
  /** Fixes the clock of metering in tests. */
  now?: () => Date;
  /** Who can be asked for records: in tests also others. */
  sources?: ReadonlyMap<string, Source>;
  /** Counts and times what happens. Absent: nothing is. */
  metrics?: Metrics;
  /** Called when a build of the index begins, with what tells its share that is done. */
  watchBuild?: (progress: () => number) => () => void;
}

export interface App {
  fetch: Handler;
  context: RunContext;
  actions: Actions;
  retriever: Retriever;
  /** Brings the metrics up to date that are looked up only when somebody reads them. */
  collect(): Promise<void>;
  /** Loads the index, then takes background work and, where it has workers, asks sources. */
  start(): Promise<void>;
  /** Readiness off; what is open goes on. */
  drain(): void;
  /**
   * Finishes the work in hand, gives back what still waits for a planner, and stops. The database
   * stays open: it is its opener's.
   */
  close(): Promise<void>;
}

export function createApp(
  { db, settings, log, snapshot_path, now, sources = SOURCES, metrics, watchBuild }: AppOptions,
): App {
  const endpoint = embeddingEndpointOf(settings);
  const works = settings.WORKERS > 0;
  const embeddings = endpoint && new Embeddings({ sql: db.sql, log, endpoint, works });
  const retriever = createRetriever({
    sql: db.sql,
    log,
    snapshot_path,
    embeddings,
    watchBuild,
    searched: metrics && ((seconds) => metrics.searched(seconds)),
  });
  const gauges = metrics && new Gauges({ registry: metrics.registry, sql: db.sql, log, retriever });
  const asking = createAsking(settings);
  const reaches = reachesSources();
  const acquirer = settings.ACQUISITION_RECORDS === 0 || !reaches ? undefined : new Acquirer({
    sql: db.sql,
    log,
    asking,
    sources,
    records: settings.ACQUISITION_RECORDS,
    milliseconds: settings.ACQUISITION_MILLISECONDS,
  });
  const stopping = new AbortController();
  const actions = createActions(retriever, {
    filling: acquirer && { retriever, acquirer, log },
    planner: modelPlannerOf(settings, { log, stopping: stopping.signal }),
    log,
  });
  let consumer: Consumer | undefined;
  let refresher: Refresher | undefined;
  let upgrade: Promise<void> | undefined;
  let draining = false;
  const wake = () => consumer?.wake();
  const returns = new LeaseReturns({ sql: db.sql, log, now, wake });
  const context: RunContext = {
    sql: db.sql,
    texts: new ObservationTexts(),
    now,
    log,
    returns,
    deadline_seconds: settings.OPERATION_DEADLINE_SECONDS,
    wake,
    metrics,
  };
  const identities = new KeyIdentities(db.sql);
  const uses = new KeyUses({ sql: db.sql, log });
  const keys = new KnownKeys(undefined, uses);
  const refreshContext = {
    ...asking,
    sql: db.sql,
    log,
    sources,
    batch: batchSizeOf(db),
    metrics,
  };
  const notReady = async () => {
    if (draining) return { reason: "draining" };
    if (!retriever.ready) return loading(retriever.state.progress);
    try {
      return await migrationsCurrent(db.sql) ? undefined : { reason: "migrations are not current" };
    } catch (error) {
      if (error instanceof Failure) return { reason: "the database is unavailable" };
      throw error;
    }
  };
  return {
    fetch: createHandler({
      context: { ...context, door: "http" },
      identities,
      metrics,
      actions,
      log,
      keys,
      notReady,
      mcp: createEndpoint({
        context: { ...context, door: "mcp" },
        metrics,
        actions,
        log,
        keys,
        tools: settings.MCP_TOOLS,
        retention_days: settings.OPERATION_RETENTION_DAYS,
        allowed_origins: settings.ALLOWED_ORIGINS,
      }),
    }),
    context,
    actions,
    retriever,
    collect: async () => await gauges?.collect(),
    async start() {
      await retriever.start();
      embeddings?.start();
      consumer = startConsumer(context, actions.metered, {
        workers: settings.WORKERS,
        retention_days: settings.OPERATION_RETENTION_DAYS,
      });
      if (!reaches) refresher = warnOfSources(refreshContext);
      else if (settings.WORKERS > 0) refresher = startRefresher(refreshContext);
      // A process without workers does this too: it may be the only one there is.
      if (!await excerptsAreLimited(db.sql)) {
        upgrade = upgradeExcerpts(db.sql, { log, signal: stopping.signal });
      }
    },
    drain() {
      draining = true;
    },
    async close() {
      draining = true;
      stopping.abort();
      await Promise.all([consumer?.stop(), refresher?.stop(), embeddings?.close(), upgrade]);
      await returns.close();
      await uses.close();
      await identities.close();
      await retriever.close();
    },
  };
}

function loading(progress: number | undefined): Obstacle {
  const percent = progress === undefined ? {} : { progress_percent: Math.floor(progress * 100) };
  return { reason: "the index is loading", ...percent };
}
