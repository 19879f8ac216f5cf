/** Samples the dataset to learn the semantic model if no index is in memory. */
import type { Sql } from "../../db/sql.ts";
import type { IndexState } from "../engine/segmented_index.ts";
import type { IndexWork } from "../index_work.ts";

/** Max number of observations: with more, a model hardly changes (semantics/sample.ts). */
const OBSERVATIONS_MAX = 20_000;
const PAGE_IDS = 500;

/**
 * Returns an index of up to 20,000 observations, which are evenly spread over the order of
 * recording.
 */
export async function sampleDataset(sql: Sql, work: IndexWork): Promise<IndexState> {
  const [{ last }] = await sql<[{ last: number }]>`
    select coalesce(max(id), 0) as last from observations
  `;
  const count = Math.min(last, OBSERVATIONS_MAX);
  // Discards the rows that an earlier sample added before it failed.
  await work.ask("take");
  for (let from = 0; from < count; from += PAGE_IDS) {
    const ids = Array.from(
      { length: Math.min(PAGE_IDS, count - from) },
      (_, n) => Math.ceil((from + n + 1) * last / count),
    );
    const [{ rows }] = await sql<[{ rows: string }]>`
      select coalesce(json_agg(r order by r.id), '[]')::text as rows from index_rows(${ids}) r
    `;
    await work.ask("add", { rows });
  }
  return await work.ask("take");
}
