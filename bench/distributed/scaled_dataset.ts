/** Real records, repeated as often as a large dataset needs, in a database. */
import { connect, type Database } from "../../src/db/connect.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createLog } from "../../src/log.ts";
import { ingestRealRecords } from "../../test/support/real_records.ts";
import { openRealDataset, openTenders } from "../questions/dataset.ts";
import { copyObservations } from "./copies.ts";

export interface ScaledDataset extends AsyncDisposable {
  db: Database;
  url: string;
  /** Number of observations, also those that may not be shown. */
  observations: number;
}

/**
 * Opens a dataset of so many observations: in the database of a URL, which keeps it and is filled if
 * it is empty, or on a throwaway server. Returns nothing where no server can be started.
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
