/**
 * `start`: serves HTTP and MCP until a signal. `work`: performs background work beside serving
 * processes.
 */
import { join } from "node:path";
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
  const metrics = createMetrics(settings);
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
    const open = new OpenRequests();
    const server = serveHttp({
      port: settings.PORT,
      hostname: settings.HOST,
      log,
      handler: async (request, transport) => {
        const response = await open.count(app.fetch(request, transport));
        if (stop.aborted) closeAfter(response);
        return response;
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
      if (db.kind === "server") await pause(UNREADY_SECONDS);
      // A shutdown would cut off request bodies that are still being read, so they may end first.
      await Promise.race([open.finished(), pause(OPEN_SECONDS)]);
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

/**
 * Creates the metrics. Returns undefined if METRICS_PORT is not set, because nobody could read
 * them.
 */
function createMetrics(
  { METRICS_PORT }: Pick<Settings, "METRICS_PORT">,
): Metrics | undefined {
  return METRICS_PORT === undefined ? undefined : new Metrics();
}

/** Serves the metrics of an app, if there are any, until the returned object is disposed. */
function openMetrics(
  metrics: Metrics | undefined,
  { app, settings: { METRICS_PORT, METRICS_HOST }, log }: {
    app: App;
    settings: Pick<Settings, "METRICS_PORT" | "METRICS_HOST">;
    log: Log;
  },
): AsyncDisposable {
  if (metrics === undefined) return { [Symbol.asyncDispose]: () => Promise.resolve() };
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
export async function closeLogged(log: Log, close: () => Promise<unknown>): Promise<void> {
  try {
    await close();
  } catch (error) {
    log.warn("stopped with an error", errorFields(error));
  }
}

/**
 * Seconds during which requests are still accepted although /readyz reports not ready. It is the
 * usual interval of a load balancer's checks.
 */
const UNREADY_SECONDS = 2;

/**
 * Max seconds for which a stopping process waits for open requests, after UNREADY_SECONDS. The sum
 * of both is below STOP_SECONDS of main.ts.
 */
const OPEN_SECONDS = 8;

/**
 * Lets the client close the connection after this answer. Otherwise a request could reach a kept
 * connection in the moment in which the stopping server closes it, and would get no answer.
 */
function closeAfter(response: Response): void {
  response.headers.set("connection", "close");
}

/** Requests that have no answer yet. */
class OpenRequests {
  #open = 0;
  #finished = Promise.withResolvers<void>();

  async count(response: Response | Promise<Response>): Promise<Response> {
    this.#open++;
    try {
      return await response;
    } finally {
      if (--this.#open === 0) {
        this.#finished.resolve();
        this.#finished = Promise.withResolvers();
      }
    }
  }

  /** Resolves when no request is open. */
  async finished(): Promise<void> {
    while (this.#open > 0) await this.#finished.promise;
  }
}

/** Returns the path at which processes with this DATA_DIR save the index. */
function snapshotPath({ DATA_DIR }: Pick<Settings, "DATA_DIR">): string {
  return join(DATA_DIR, "index.snapshot");
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, seconds * 1000)));
}

/** Resolves when the signal aborts. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Runs until a signal. Has at least one worker, even if WORKERS is 0. Only processes of `start` may
 * have none.
 */
export async function work({ settings, log, announcer, stop }: ServeOptions): Promise<void> {
  const metrics = createMetrics(settings);
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
