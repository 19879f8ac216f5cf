/** Loads the real records into a database on a temporary server. */
import type { Database } from "../../src/db/connect.ts";
import { startCluster } from "../../test/support/cluster.ts";
import { ingestRealRecords, type RealFile, realFiles } from "../../test/support/real_records.ts";
import { openDatabase } from "../ingest_database.ts";
import { type CompanyKeys, nameKey } from "./judge.ts";

/** A loaded database with the names of its companies. */
interface RealDataset extends AsyncDisposable {
  db: Database;
  /** Address of the database, for another process. */
  url: string;
  keys: CompanyKeys;
}

/** Number of years by which the closing dates of tenders are moved, so that all tenders are open. */
const YEARS_MOVED = 20;

/** Loads files as the command `ingest` does. Returns undefined if no server can be started. */
export async function openRealDataset(
  files: readonly RealFile[] = realFiles(),
): Promise<RealDataset | undefined> {
  const cluster = await startCluster();
  if (cluster === undefined) return undefined;
  await using stack = new AsyncDisposableStack();
  stack.defer(() => cluster.stop());
  const database = stack.use(await openDatabase(cluster.url));
  const db = await database.open();
  stack.defer(() => db.close());
  await ingestRealRecords(db, files);
  await openTenders(db);
  await db.sql`analyze`;
  const keys = await readCompanyKeys(db);
  const owned = stack.move();
  return { db, url: database.url, keys, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Reads all names of every company, including the names that sources use. */
export async function readCompanyKeys({ sql }: Database): Promise<CompanyKeys> {
  const rows = await sql<{ id: number; names: string[] }[]>`
    select coalesce(c.merged_into, c.id) as id, array_agg(n.name) as names
    from companies c
    cross join lateral (
      select c.name
      union
      select e.name from company_external_ids e where e.company_id = c.id
    ) n
    group by 1
  `;
  return new Map(rows.map(({ id, names }) => [id, new Set(names.map(nameKey))]));
}

/** Reopens all tenders, by moving their closing dates into the future. */
export async function openTenders({ sql }: Database): Promise<void> {
  await sql`
    update observations
    set
      facets = jsonb_set(facets, '{deadline}', to_jsonb(to_char(
        ((facets->>'deadline')::timestamptz + make_interval(years => ${YEARS_MOVED}))
          at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
      ))),
      expires_at = (facets->>'deadline')::timestamptz + make_interval(years => ${YEARS_MOVED})
    where kind = 'procurement_request' and facets ? 'deadline'
  `;
}
