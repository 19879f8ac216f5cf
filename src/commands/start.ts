/** `start`: serves HTTP until a signal. */
import { createApp } from "../app.ts";
import type { Settings } from "../config.ts";
import { connect } from "../db/connect.ts";
import { migrate } from "../db/migrate.ts";
import type { Log } from "../log.ts";
import { prepareDemo } from "./demo.ts";

export interface ServeOptions {
  settings: Settings;
  log: Log;
  /** Words for the operator, on stderr. */
  say: (line: string) => void;
  stop: AbortSignal;
}

/** Resolves when `stop` was signalled and all that was open is finished. */
export async function start({ settings, log, say, stop }: ServeOptions): Promise<void> {
  const db = await connect({
    database_url: settings.DATABASE_URL,
    data_dir: settings.DATA_DIR,
    borrow: false,
    log,
  });
  try {
    await migrate(db);
    if (db.kind === "embedded" && settings.DEMO === "auto") {
      await prepareDemo(db, { data_dir: settings.DATA_DIR, say });
    }
    const app = createApp({ db, settings, log });
    const server = Deno.serve({
      port: settings.PORT,
      hostname: settings.HOST,
      onListen: () => {},
    }, app.fetch);
    try {
      await app.start();
      const { hostname, port } = server.addr;
      say(`listening on http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`);
      await stopped(stop);
      app.drain();
    } finally {
      await server.shutdown();
      await app.close();
    }
  } finally {
    await db.close();
  }
}

/** Resolves when the signal comes. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
