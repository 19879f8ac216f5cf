/** Opens a database with the real records and as many copies as a large dataset needs. */
import { connect, type Database } from "../../src/db/connect.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createLog } from "../../src/log.ts";
import { ingestRealRecords } from "../../test/support/real_records.ts";
import { openRealDataset, openTenders } from "../questions/dataset.ts";
import { copyObservations } from "./copies.ts";

/** A database of copied records. Disposing closes the database. */
interface ScaledDataset extends AsyncDisposable {
  db: Database;
  url: string;
  /** Number of observations, including those that must not be shown. */
  observations: number;
}

/**
 * Opens a dataset, and adds copies up to a number of observations. With a URL, its database is
 * filled if it is empty, and keeps the dataset. Otherwise, a temporary server is started. Returns
 * undefined if no server can be started.
 */
export async function openScaledDataset(
  { observations, url }: { observations: number; url?: string },
): Promise<ScaledDataset | undefined> {
  if (url !== undefined) return await openKept(url, observations);
  const dataset = await openRealDataset();
  if (dataset === undefined) return undefined;
  return {
    db: dataset.db,
    url: dataset.url,
    observations: await copyObservations(dataset.db.sql, observations),
    [Symbol.asyncDispose]: () => dataset[Symbol.asyncDispose](),
  };
}

async function openKept(url: string, observations: number): Promise<ScaledDataset> {
  const db = await connect({
    database_url: url,
    data_dir: "",
    log: createLog("error"),
    statement_timeout_seconds: 3_600,
  });
  await migrate(db);
  const count = async () => {
    const [row] = await db.sql<[{ count: number }]>`select count(*) from observations`;
    return row.count;
  };
  if (await count() === 0) {
    await ingestRealRecords(db);
    await openTenders(db);
  }
  if (await count() < observations) await copyObservations(db.sql, observations);
  return {
    db,
    url,
    observations: await count(),
    [Symbol.asyncDispose]: () => db.close(),
  };
}
