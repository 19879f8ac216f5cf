/** `work`: takes background work beside serving processes, until a signal. */
import { createApp } from "../app.ts";
import { openDatabase } from "../db/open.ts";
import { closeLogged, type ServeOptions, snapshotPath, stopped } from "./start.ts";

/** A process that only works has at least one consumer, whatever WORKERS says of serving ones. */
export async function work({ settings, log, say, stop }: ServeOptions): Promise<void> {
  const db = await openDatabase({
    database_url: settings.DATABASE_URL,
    data_dir: settings.DATA_DIR,
    borrow: true,
    must_exist: true,
    log,
  });
  try {
    const app = createApp({
      db,
      settings: { ...settings, WORKERS: Math.max(1, settings.WORKERS) },
      log,
      snapshot_path: snapshotPath(settings),
    });
    try {
      await app.start();
      say("working");
      await stopped(stop);
    } finally {
      await closeLogged(log, () => app.close());
    }
  } finally {
    await closeLogged(log, () => db.close());
  }
}
