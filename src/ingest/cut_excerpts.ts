/** Brings excerpts that were stored whole into the form that evidence has now. */
import { createHash } from "node:crypto";
import { RECORD_LIMITS } from "../contract/record.ts";
import type { Sql } from "../db/connect.ts";
import { inTurn } from "./in_turn.ts";
import { passageOf } from "./passage.ts";

/** Number of excerpts per statement; the longest have 40,000 characters. */
const BATCH = 100;

interface LongExcerpt {
  id: number;
  excerpt: string;
  observed_fact: string;
}

/**
 * Cuts all excerpts that are longer than 600 characters to the passage that supports their fact, and
 * keeps the whole as searched text. Each batch is one statement, so a run that was cut short is
 * continued by the next one. Returns the number of excerpts that were cut.
 */
export async function cutLongExcerpts(sql: Sql, signal?: AbortSignal): Promise<number> {
  let cut = 0;
  for (let after = 0; !signal?.aborted;) {
    const rows = await longExcerpts(sql, after);
    if (rows.length === 0) break;
    after = rows.at(-1)!.id;
    const cuts = JSON.stringify(rows.map(({ id, excerpt, observed_fact }) => ({
      id,
      md5: createHash("md5").update(excerpt).digest("hex"),
      excerpt: passageOf(excerpt, observed_fact, RECORD_LIMITS.excerpt_characters),
    })));
    const [row] = await inTurn(() =>
      sql<[{ cut: number }]>`select cut_excerpts(${cuts}::text::jsonb) as cut`
    );
    cut += row.cut;
  }
  return cut;
}

/** JavaScript counts UTF-16 units and the database characters, so no long excerpt escapes. */
async function longExcerpts(sql: Sql, after: number): Promise<LongExcerpt[]> {
  return await sql<LongExcerpt[]>`
    select e.id, e.excerpt, o.observed_fact
    from evidence e
    join observations o on o.id = e.observation_id
    where length(e.excerpt) > 600 and e.id > ${after}
    order by e.id
    limit ${BATCH}
  `;
}
