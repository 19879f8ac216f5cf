/** Uses COPY to copy the tables that `ingest` fills, and computes digests to compare them. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Database, Sql } from "../src/db/connect.ts";

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
 * Copies tables from one database to another, through files in `dir`. Each table uses a new
 * connection, because the driver may leave a connection paused after COPY TO.
 *
 * @returns seconds of COPY FROM over all tables
 */
export async function copyTables(
  { from, to, dir }: { from: () => Promise<Database>; to: Sql; dir: string },
): Promise<number> {
  for (const table of TABLES) {
    const { sql, close } = await from();
    const rows = await sql`copy ${sql(table)} to stdout`.readable();
    using file = await Deno.create(`${dir}/${table}`);
    for await (const chunk of rows as AsyncIterable<Uint8Array>) {
      for (let sent = 0; sent < chunk.length;) sent += file.writeSync(chunk.subarray(sent));
    }
    await close();
  }
  const start = performance.now();
  for (const table of TABLES) {
    await pipeline(
      createReadStream(`${dir}/${table}`),
      await to`copy ${to(table)} from stdin`.writable(),
    );
  }
  return (performance.now() - start) / 1000;
}

/** Returns a digest of all rows of each table, by the name of the table. */
export async function digestTables(sql: Sql): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const table of TABLES) {
    const [row] = await sql<[{ digest: string }]>`
      select md5(coalesce(string_agg(t::text, e'\n' order by t::text), '')) as digest
      from ${sql(table)} t
    `;
    digests[table] = row.digest;
  }
  return digests;
}
