/** The service over a database: its index, actions, doors and background work. */
import { KeyIdentities, KeyUses, KnownKeys } from "./accounts/known_keys.ts";
import { type Actions, createActions } from "./actions.ts";
import type { Settings } from "./config.ts";
import type { Database } from "./db/connect.ts";
import { isReadOnly, migrationsCurrent } from "./db/migrate.ts";
import { Failure } from "./failures.ts";
import { createGauges } from "./gauges.ts";
import { createHandler, type Handler, type Obstacle } from "./http/handler.ts";
import { batchSizeOf } from "./ingest/record/pipeline.ts";
import { Acquirer } from "./ingest/refresh/acquire.ts";
import { type Asking, createAsking } from "./ingest/refresh/ask.ts";
import { refreshSources } from "./ingest/refresh/refresher.ts";
import { reachesSources, warnOfSources } from "./ingest/refresh/source_permission.ts";
import type { Source } from "./ingest/sources/kit/source.ts";
import { SOURCES } from "./ingest/sources/sources.ts";
import type { Log } from "./log.ts";
import { createEndpoint } from "./mcp/endpoint.ts";
import { describeTools } from "./mcp/schemas.ts";
import type { Metrics } from "./metrics.ts";
import { LeaseReturns } from "./operations/lease_returns.ts";
import { ReadRates } from "./operations/read_rates.ts";
import type { RunContext } from "./operations/run.ts";
import { Turns } from "./operations/turns.ts";
import { consume } from "./operations/worker.ts";
import { forOneSecond } from "./repeat.ts";
import { ClusterSource } from "./search/cluster_source.ts";
import { embeddingEndpointOf, Embeddings } from "./search/embeddings/embeddings.ts";
import { modelPlannerOf } from "./search/planning/model_planner.ts";
import { Retriever } from "./search/retriever.ts";

interface AppOptions {
  db: Database;
  settings: Settings;
  log: Log;
  /** Path at which the index is saved for the next start; if absent, it is not saved. */
  snapshot_path?: string;
  /** Fixes the clock of metering in tests. */
  now?: () => Date;
  /** Sources of records; those of SOURCES if absent. */
  sources?: ReadonlyMap<string, Source>;
  /** Metrics of the process; absent if it has none. */
  metrics?: Metrics;
  /** Returns the key of the demo for the console, if the database contains only the demo. */
  demo_key?: () => Promise<string | undefined>;
  /**
   * Called when a build of the index begins, with a function that returns the completed share. The
   * returned function is called when the build ends.
   */
  watchBuild?: (progress: () => number) => () => void;
}

export interface App {
  fetch: Handler;
  context: RunContext;
  actions: Actions;
  retriever: Retriever;
  /** Updates the metrics that are computed only when they are read. */
  collect(): Promise<void>;
  /** Loads the index, then starts background work. With workers, it also polls sources. */
  start(): Promise<void>;
  /** Makes the service report that it is not ready. Open requests continue. */
  drain(): void;
  /**
   * Finishes current work, gives back operations that wait for a planner, and stops. The caller
   * closes the database.
   */
  close(): Promise<void>;
}

export function createApp(options: AppOptions): App {
  const { db, log, now, metrics } = options;
  const stopping = new AbortController();
  // Every user of sources shares `asking`, because it enforces the pause between requests to a
  // host.
  const asking = createAsking(options.settings);
  const search = createSearch(options, { asking, stopping: stopping.signal });
  const { retriever, embeddings, actions } = search;
  const collect = metrics &&
    createGauges({ registry: metrics.registry, sql: db.sql, log, retriever });
  const uses = new KeyUses({ sql: db.sql, log });
  const returns = new LeaseReturns({ sql: db.sql, log, now });
  const clock = now && (() => now().getTime());
  const context: RunContext = {
    sql: db.sql,
    now,
    log,
    returns,
    keys: new KnownKeys(clock, uses),
    turns: new Turns(),
    bodies: new Turns(),
    reads: new ReadRates(clock),
    deadline_seconds: options.settings.OPERATION_DEADLINE_SECONDS,
    metrics,
  };
  const background = createBackground(options, {
    context,
    actions,
    asking,
    stopping: stopping.signal,
  });
  const doors = createDoors(options, { context, search, uses });
  return {
    fetch: doors.fetch,
    context,
    actions,
    retriever,
    collect: async () => await collect?.(),
    async start() {
      await retriever.source.start();
      embeddings?.start();
      background.start();
    },
    drain: doors.drain,
    async close() {
      doors.drain();
      stopping.abort();
      await Promise.all([background.stop(), embeddings?.close()]);
      await returns.close();
      await doors.close();
      await retriever.source.close();
    },
  };
}

type Search = ReturnType<typeof createSearch>;

/** Creates the index, its embeddings, and the actions that use it. */
function createSearch(
  { db, settings, log, snapshot_path, sources = SOURCES, metrics, watchBuild }: AppOptions,
  { asking, stopping }: { asking: Asking; stopping: AbortSignal },
) {
  const { sql } = db;
  const endpoint = embeddingEndpointOf(settings);
  const works = settings.WORKERS > 0;
  const embeddings = endpoint && new Embeddings({ sql, log, endpoint, works });
  const searched = metrics && ((seconds: number) => metrics.searched(seconds));
  const { SEARCH_URL: nodes, SEARCH_SHARDS: shards, SEARCH_REPLICAS: replicas } = settings;
  const source = nodes && new ClusterSource({ sql, log, nodes, shards, replicas });
  const retriever = new Retriever({
    sql,
    log,
    snapshot_path,
    embeddings,
    watchBuild,
    searched,
    source,
  });
  const { ACQUISITION_RECORDS: records, ACQUISITION_MILLISECONDS: milliseconds } = settings;
  const acquirer = records > 0 && reachesSources()
    ? new Acquirer({ sql, log, asking, sources, records, milliseconds })
    : undefined;
  const actions = createActions(retriever, {
    filling: acquirer && { retriever, acquirer, log },
    planner: modelPlannerOf(settings, { log, stopping }),
  });
  return { retriever, embeddings, actions };
}

/** Creates the background work: workers, and the refresh of sources. */
function createBackground(
  { db, settings, log, sources = SOURCES, metrics }: AppOptions,
  { context, actions, asking, stopping }: {
    context: RunContext;
    actions: Actions;
    asking: Asking;
    stopping: AbortSignal;
  },
) {
  const { sql } = db;
  let consuming: Promise<void> | undefined;
  let refreshing: Promise<void> | undefined;
  return {
    start() {
      consuming = consume(context, actions.metered, {
        workers: settings.WORKERS,
        retention_days: settings.OPERATION_RETENTION_DAYS,
        stopping,
      });
      const refresh = { ...asking, sql, log, sources, batch: batchSizeOf(db), metrics };
      if (!reachesSources()) refreshing = warnOfSources(refresh, stopping);
      else if (settings.WORKERS > 0) refreshing = refreshSources(refresh, stopping);
    },
    /** Resolves when current work is finished. The caller must first abort `stopping`. */
    async stop() {
      await Promise.all([consuming, refreshing]);
    },
  };
}

/** Creates both doors, HTTP and MCP, over the same actions. */
function createDoors(
  { db, settings, log, metrics, demo_key }: AppOptions,
  { context, search: { retriever, actions }, uses }: {
    context: RunContext;
    search: Search;
    uses: KeyUses;
  },
) {
  const identities = new KeyIdentities(db.sql);
  let draining = false;
  const faultOfDatabase = forOneSecond(async () => {
    if (!await migrationsCurrent(db.sql)) return { reason: "migrations are not current" };
    return await isReadOnly(db.sql) ? { reason: "the database is read-only" } : undefined;
  });
  const notReady = async () => {
    if (draining) return { reason: "draining" };
    const { obstacle } = retriever.source;
    if (obstacle !== undefined || !retriever.source.ready) {
      return notLoaded(obstacle ?? "the index is loading", retriever.source.state.progress);
    }
    try {
      return await faultOfDatabase();
    } catch (error) {
      if (error instanceof Failure) return { reason: "the database is unavailable" };
      throw error;
    }
  };
  return {
    fetch: createHandler({
      context: { ...context, door: "http" },
      base_path: settings.BASE_PATH,
      identities,
      metrics,
      actions,
      log,
      notReady,
      tools: describeTools(settings.MCP_TOOLS),
      demo_key,
      mcp: createEndpoint({
        context: { ...context, door: "mcp" },
        metrics,
        actions,
        log,
        tools: settings.MCP_TOOLS,
        retention_days: settings.OPERATION_RETENTION_DAYS,
        allowed_origins: settings.ALLOWED_ORIGINS,
      }),
    }),
    /** Makes the service report that it is not ready. It still answers. */
    drain() {
      draining = true;
    },
    /** Stores the noted uses of keys, and waits for the lookups of keys in progress. */
    async close() {
      await uses.close();
      await identities.close();
    },
  };
}

function notLoaded(reason: string, progress: number | undefined): Obstacle {
  const percent = progress === undefined ? {} : { progress_percent: Math.floor(progress * 100) };
  return { reason, ...percent };
}
