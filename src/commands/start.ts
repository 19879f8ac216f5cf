/** `start`: serves HTTP until a signal. */
import { join } from "node:path";
import { createApp } from "../app.ts";
import type { Settings } from "../config.ts";
import { openDatabase } from "../db/open.ts";
import { serveHttp } from "../http/server.ts";
import { errorFields, type Log } from "../log.ts";
import { markFirstStart, prepareDemo } from "./demo.ts";

export interface ServeOptions {
  settings: Settings;
  log: Log;
  /** Words for the operator, on stderr. */
  say: (line: string) => void;
  stop: AbortSignal;
}

/** Resolves when `stop` was signalled and all that was open is finished. */
export async function start({ settings, log, say, stop }: ServeOptions): Promise<void> {
  const db = await openDatabase({
    database_url: settings.DATABASE_URL,
    data_dir: settings.DATA_DIR,
    borrow: false,
    onCreate: () => markFirstStart(settings),
    log,
  });
  try {
    if (db.kind === "embedded") await prepareDemo(db, { settings, say });
    const app = createApp({ db, settings, log, snapshot_path: snapshotPath(settings) });
    const open = new OpenRequests();
    const server = serveHttp({
      port: settings.PORT,
      hostname: settings.HOST,
      log,
      handler: (request, transport) => open.count(app.fetch(request, transport)),
    });
    try {
      await app.start();
      const { hostname, port } = server.addr;
      say(`listening on http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`);
      await stopped(stop);
      app.drain();
      // Behind a balancer requests go on coming until it has seen that this one is not ready.
      if (db.kind === "server") await pause(UNREADY_SECONDS);
      // Shutting down closes bodies that are still being read.
      await Promise.race([open.finished(), pause(OPEN_SECONDS)]);
    } finally {
      // At once: a request that waits for a planner ends when the service closes.
      await closeLogged(log, () => Promise.all([server.shutdown(), app.close()]));
    }
  } finally {
    await closeLogged(log, () => db.close());
  }
}

/** Closes a part of a process that stops. A database that is away does not make the stop a failure. */
export async function closeLogged(log: Log, close: () => Promise<unknown>): Promise<void> {
  try {
    await close();
  } catch (error) {
    log.warn("stopped with an error", errorFields(error));
  }
}

/** How long requests are still taken while /readyz says no: a balancer's usual interval. */
const UNREADY_SECONDS = 2;

/** How long requests that are open then may take; with the above, well within a stop's 15. */
const OPEN_SECONDS = 8;

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

  /** Resolves when none is open. */
  async finished(): Promise<void> {
    while (this.#open > 0) await this.#finished.promise;
  }
}

/** Where processes of this directory save the index. */
export function snapshotPath({ DATA_DIR }: Pick<Settings, "DATA_DIR">): string {
  return join(DATA_DIR, "index.snapshot");
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, seconds * 1000)));
}

/** Resolves when the signal comes. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
