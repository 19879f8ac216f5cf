/** Uses COPY to copy the tables that `ingest` fills, and computes digests to compare them. */
import type { Sql } from "../src/db/connect.ts";

/** Tables in the order of their foreign keys. */
const TABLES = [
  "sources",
  "companies",
  "company_external_ids",
  "company_identifiers",
  "company_names",
  "domains",
  "company_domains",
  "observations",
  "observation_domains",
  "evidence",
];

/**
 * Copies tables from one database to another, through files in `dir`.
 *
 * @returns seconds of COPY FROM over all tables
 */
export async function copyTables(
  { from, to, dir }: { from: string; to: string; dir: string },
): Promise<number> {
  for (const table of TABLES) await psql(from, `\\copy ${table} to '${dir}/${table}'`);
  const start = performance.now();
  for (const table of TABLES) await psql(to, `\\copy ${table} from '${dir}/${table}'`);
  return (performance.now() - start) / 1000;
}

async function psql(url: string, command: string): Promise<void> {
  const args = ["--no-psqlrc", "--quiet", "--command", command, url];
  const { success, stderr } = await new Deno.Command("psql", { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Returns a digest of all rows of each table, by the name of the table. */
export async function digestTables(sql: Sql): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const table of TABLES) {
    const [row] = await sql.unsafe<[{ digest: string }]>(`
      select md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) as digest
      from ${table} t
    `);
    digests[table] = row.digest;
  }
  return digests;
}
