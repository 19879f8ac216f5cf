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
import type { DatabaseOptions } from "../db/connect.ts";
import { isReadOnly, openDatabase } from "../db/migrate.ts";
import { checkPort, serveHttp, serveMetrics } from "../http/server.ts";
import { errorFields, type Log } from "../log.ts";
import { Metrics } from "../metrics.ts";
import { atMost } from "../repeat.ts";
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
export async function start(options: ServeOptions): Promise<void> {
  const { settings, log, announcer, stop } = options;
  // The demo is built before the server starts, which takes half a minute.
  checkPort({ hostname: settings.HOST, port: settings.PORT });
  await using stack = new AsyncDisposableStack();
  const opened = await open(options, stack, {
    borrow: false,
    onCreate: () => {
      announcer.say({
        message: "creating the database",
        fields: { directory: settings.DATA_DIR },
        text: `creating the database in ${settings.DATA_DIR} …`,
      });
      return markFirstStart(settings);
    },
  });
  const { db } = opened;
  const isDemo = db.kind === "embedded" &&
    await prepareDemo(db, { settings, say: announcer.say });
  const app = buildApp(options, stack, { ...opened, demo_key: demoKeyOffer(db, settings) });
  // Callers that connect during this time would be told that the service is unavailable.
  prepareReading();
  const requests = new Set<Promise<void>>();
  const server = serveHttp({
    port: settings.PORT,
    hostname: settings.HOST,
    log,
    handler: async (request, transport) => {
      const { promise: answered, resolve } = Promise.withResolvers<void>();
      requests.add(answered);
      try {
        const response = await app.fetch(request, transport);
        // Otherwise a request could reach a kept connection in the moment in which the stopping
        // server closes it, and would get no answer.
        if (stop.aborted) response.headers.set("connection", "close");
        return response;
      } finally {
        requests.delete(answered);
        resolve();
      }
    },
  });
  // Both run concurrently. The shutdown waits for open requests, and a request that waits for a
  // planner ends only when the app closes.
  stack.defer(() => closeLogged(log, () => Promise.all([server.shutdown(), app.close()])));
  await app.start();
  const { hostname, port } = server.addr;
  const address = `http://${hostAddress(hostname, port)}${settings.BASE_PATH}`;
  announcer.say({
    message: `listening on ${address}`,
    ...isDemo && { fields: { try: `${address}/` }, text: firstSteps(address, settings) },
  });
  await stopped(stop);
  app.drain();
  // A load balancer keeps sending requests until it has seen that this process is not ready. Without
  // one, only connections that wait to be accepted matter: closing the port would reset them.
  await pause(db.kind === "server" ? UNREADY_MILLISECONDS : ACCEPT_MILLISECONDS);
  // A shutdown would cut off request bodies that are still being read, so they may end first.
  await atMost(OPEN_MILLISECONDS, allEnded(requests));
}

/** Resolves when no request is open, also none that began meanwhile. */
async function allEnded(requests: ReadonlySet<Promise<void>>): Promise<void> {
  while (requests.size > 0) await Promise.all(requests);
}

/**
 * Runs until a signal. Has at least one worker, even if WORKERS is 0. Only processes of `start` may
 * have none.
 */
export async function work(options: ServeOptions): Promise<void> {
  const { log, announcer, stop } = options;
  const settings = { ...options.settings, WORKERS: Math.max(1, options.settings.WORKERS) };
  await using stack = new AsyncDisposableStack();
  const opened = await open(options, stack, { borrow: true, must_exist: true });
  const app = buildApp({ ...options, settings }, stack, opened);
  stack.defer(() => closeLogged(log, () => app.close()));
  await app.start();
  announcer.say({ message: "working" });
  await stopped(stop);
}

/** Opens the database, which `stack` closes. There are metrics only if somebody can read them. */
async function open(
  { settings: { DATABASE_URL, DATA_DIR, METRICS_PORT }, log }: ServeOptions,
  stack: AsyncDisposableStack,
  options: Pick<DatabaseOptions, "borrow" | "must_exist" | "onCreate">,
) {
  const metrics = METRICS_PORT === undefined ? undefined : new Metrics();
  const database = { database_url: DATABASE_URL, data_dir: DATA_DIR, metrics, log };
  const db = await openDatabase({ ...database, ...options });
  stack.defer(() => closeLogged(log, () => db.close()));
  if (await isReadOnly(db.sql)) {
    throw new Error("The database is read-only. DATABASE_URL must name the primary, no standby.");
  }
  return { db, metrics };
}

/** Builds the app, and serves its metrics until `stack` is disposed. The caller closes the app. */
function buildApp(
  { settings, log, announcer: { watchBuild } }: ServeOptions,
  stack: AsyncDisposableStack,
  opened: Pick<Parameters<typeof createApp>[0], "db" | "metrics" | "demo_key">,
): App {
  const snapshot_path = join(settings.DATA_DIR, "index.snapshot");
  const app = createApp({ ...opened, settings, log, snapshot_path, watchBuild });
  if (opened.metrics === undefined) return app;
  const server = serveMetrics({
    hostname: settings.METRICS_HOST,
    port: settings.METRICS_PORT!,
    registry: opened.metrics.registry,
    collect: app.collect,
    log,
  });
  log.info("metrics are served", { host: server.addr.hostname, port: server.addr.port });
  stack.defer(() => closeLogged(log, () => server.shutdown()));
  return app;
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

/** Milliseconds in which connections that the kernel has made are accepted (chosen). */
const ACCEPT_MILLISECONDS = 250;

/**
 * Max milliseconds for which a stopping process waits for open requests, after
 * UNREADY_MILLISECONDS. The sum of both is below STOP_SECONDS of main.ts.
 */
const OPEN_MILLISECONDS = 8_000;

/** Resolves when the signal aborts. */
async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
