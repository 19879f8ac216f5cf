/** `work`: performs background work beside serving processes, until a signal. */
import { createApp } from "../app.ts";
import { openDatabase } from "../db/open.ts";
import {
  closeLogged,
  createMetrics,
  openMetrics,
  type ServeOptions,
  snapshotPath,
  stopped,
} from "./start.ts";

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
