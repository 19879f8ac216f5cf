/**
 * `start`: serves HTTP and MCP until a signal. `work`: performs background work beside serving
 * processes.
 */
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type App, createApp } from "../app.ts";
import type { Settings } from "../config.ts";
import { hostAddress } from "../contract/host_address.ts";
import { openDatabase } from "../db/migrate.ts";
import { checkPort, serveHttp, serveMetrics } from "../http/server.ts";
import { errorFields, type Log } from "../log.ts";
import { Metrics } from "../metrics.ts";
import { prepareReading } from "../search/retriever.ts";
import type { Announcer } from "./announcer.ts";
import { demoKeyOffer, demoKeyPath, markFirstStart, prepareDemo } from "./demo.ts";

/** Context of `start` and `work`. */
export interface ServeOptions {
  settings: Settings;
  log: Log;
  announcer: Announcer;
  stop: AbortSignal;
}

/** Serves until `stop` aborts. Resolves when all open work is finished. */
export async function start({ settings, log, announcer, stop }: ServeOptions): Promise<void> {
  // The demo is built before the server starts, which takes half a minute.
  checkPort({ hostname: settings.HOST, port: settings.PORT });
  const metrics = settings.METRICS_PORT === undefined ? undefined : new Metrics();
  const db = await openDatabase({
    database_url: settings.DATABASE_URL,
    data_dir: settings.DATA_DIR,
    borrow: false,
    onCreate: () => {
      announcer.say({
        message: "creating the database",
        fields: { directory: settings.DATA_DIR },
        text: `creating the database in ${settings.DATA_DIR} …`,
      });
      return markFirstStart(settings);
    },
    metrics,
    log,
  });
  try {
    const isDemo = db.kind === "embedded" &&
      await prepareDemo(db, { settings, say: announcer.say });
    const app = createApp({
      db,
      settings,
      log,
      snapshot_path: snapshotPath(settings),
      metrics,
      demo_key: demoKeyOffer(db, settings),
      watchBuild: announcer.watchBuild,
    });
    await using _metrics = openMetrics(metrics, { app, settings, log });
    // Callers that connect during this time would be told that the service is unavailable.
    prepareReading();
    const open = new Set<Promise<void>>();
    const server = serveHttp({
      port: settings.PORT,
      hostname: settings.HOST,
      log,
      handler: async (request, transport) => {
        const { promise: answered, resolve } = Promise.withResolvers<void>();
        open.add(answered);
        try {
          const response = await app.fetch(request, transport);
          // Otherwise a request could reach a kept connection in the moment in which the stopping
          // server closes it, and would get no answer.
          if (stop.aborted) response.headers.set("connection", "close");
          return response;
        } finally {
          open.delete(answered);
          resolve();
        }
      },
    });
    try {
      await app.start();
      const { hostname, port } = server.addr;
      const address = `http://${hostAddress(hostname, port)}${settings.BASE_PATH}`;
      announcer.say({
        message: `listening on ${address}`,
        ...isDemo && {
          fields: { try: `${address}/` },
          text: firstSteps(address, settings),
        },
      });
      await stopped(stop);
      app.drain();
      // A load balancer keeps sending requests until it has seen that this process is not ready.
      if (db.kind === "server") await pause(UNREADY_MILLISECONDS);
      // A shutdown would cut off request bodies that are still being read, so they may end first.
      const late = pause(OPEN_MILLISECONDS, "late", { ref: false });
      while (open.size > 0) if (await Promise.race([...open, late]) === "late") break;
    } finally {
      // Both run concurrently. The shutdown waits for open requests, and a request that waits for a
      // planner ends only when the app closes.
      await closeLogged(log, () => Promise.all([server.shutdown(), app.close()]));
    }
  } finally {
    await closeLogged(log, () => db.close());
  }
}

/** Returns the lines that a first start prints when the service is ready. */
function firstSteps(address: string, { DATA_DIR }: Pick<Settings, "DATA_DIR">): string {
  const path = `'${demoKeyPath(DATA_DIR).replaceAll("'", `'\\''`)}'`;
  return [
    `listening on ${address}`,
    `console: ${address}/`,
    "a first search:",
    `  curl -s ${address}/api/companies/search -H "Authorization: Bearer $(cat ${path})" \\`,
    `    -H "Idempotency-Key: first" -H "Content-Type: application/json" \\`,
    `    -d '{"query": "new warehouse with cold storage", "limit": 3}'`,
  ].join("\n");
}

/** Serves the metrics of an app, if there are any, until the returned object is disposed. */
function openMetrics(
  metrics: Metrics | undefined,
  { app, settings: { METRICS_PORT, METRICS_HOST }, log }: {
    app: App;
    settings: Pick<Settings, "METRICS_PORT" | "METRICS_HOST">;
    log: Log;
  },
): AsyncDisposable | undefined {
  if (metrics === undefined) return undefined;
  const server = serveMetrics({
    hostname: METRICS_HOST,
    port: METRICS_PORT!,
    registry: metrics.registry,
    collect: () => app.collect(),
    log,
  });
  log.info("metrics are served", { host: server.addr.hostname, port: server.addr.port });
  return { [Symbol.asyncDispose]: () => closeLogged(log, () => server.shutdown()) };
}

/**
 * Closes a part of a stopping process. An error is only logged, so that the other parts are closed
 * too.
 */
async function closeLogged(log: Log, close: () => Promise<unknown>): Promise<void> {
  try {
    await close();
  } catch (error) {
    log.warn("stopped with an error", errorFields(error));
  }
}

/**
 * Milliseconds during which requests are still accepted although /readyz reports not ready. It is the
 * usual interval of a load balancer's checks.
 */
const UNREADY_MILLISECONDS = 2_000;

/**
 * Max milliseconds for which a stopping process waits for open requests, after
 * UNREADY_MILLISECONDS. The sum of both is below STOP_SECONDS of main.ts.
 */
const OPEN_MILLISECONDS = 8_000;

/** Returns the path at which processes with this DATA_DIR save the index. */
function snapshotPath({ DATA_DIR }: Pick<Settings, "DATA_DIR">): string {
  return join(DATA_DIR, "index.snapshot");
}

/** Resolves when the signal aborts. */
async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/**
 * Runs until a signal. Has at least one worker, even if WORKERS is 0. Only processes of `start` may
 * have none.
 */
export async function work({ settings, log, announcer, stop }: ServeOptions): Promise<void> {
  const metrics = settings.METRICS_PORT === undefined ? undefined : new Metrics();
  const db = await openDatabase({
    database_url: settings.DATABASE_URL,
    data_dir: settings.DATA_DIR,
    borrow: true,
    must_exist: true,
    metrics,
    log,
  });
  try {
    const app = createApp({
      db,
      settings: { ...settings, WORKERS: Math.max(1, settings.WORKERS) },
      log,
      snapshot_path: snapshotPath(settings),
      metrics,
      watchBuild: announcer.watchBuild,
    });
    await using _metrics = openMetrics(metrics, { app, settings, log });
    try {
      await app.start();
      announcer.say({ message: "working" });
      await stopped(stop);
    } finally {
      await closeLogged(log, () => app.close());
    }
  } finally {
    await closeLogged(log, () => db.close());
  }
}
