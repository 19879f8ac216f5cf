/** Cuts stored excerpts to the max length of an excerpt. Earlier versions stored longer ones. */
import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { RECORD_LIMITS } from "../../contract/record.ts";
import type { Sql } from "../../db/connect.ts";
import { errorFields, type Log } from "../../log.ts";
import { callWriter, retryOnLock } from "./retry_on_lock.ts";
import { passageOf } from "./passage.ts";

/** Max number of excerpts per statement. An excerpt can have 40,000 characters. */
const BATCH = 100;

interface LongExcerpt {
  id: number;
  excerpt: string;
  observed_fact: string;
}

/**
 * Cuts all excerpts of more than 600 characters to the passage that supports their fact. The whole
 * excerpt stays searchable as a text. Each batch is one statement, so the next run continues an
 * interrupted one. Returns the number of excerpts that were cut.
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
    cut += await callWriter<number>(sql, sql`cut_excerpts(${cuts}::text::jsonb)`);
  }
  return cut;
}

/**
 * Milliseconds between a failed run and the next run: the first pause, which then doubles, and the
 * max.
 */
const PAUSE = { first: 1_000, max: 300_000 };

/**
 * Returns whether the database has no long excerpts and refuses new ones. Also returns false if the
 * query fails. The caller then starts upgradeExcerpts(), which retries.
 */
export async function excerptsAreLimited(sql: Sql): Promise<boolean> {
  try {
    const [row] = await sql<[{ limited: boolean }]>`
      select exists (
        select from pg_constraint c
        where c.conname = 'evidence_excerpt_length' and c.convalidated
      ) as limited
    `;
    return row.limited;
  } catch {
    return false;
  }
}

/**
 * Cuts all long excerpts, then makes the database refuse new ones. A failed run is logged and
 * repeated after a pause, until it succeeds or the signal aborts.
 */
export async function upgradeExcerpts(
  sql: Sql,
  { log, signal, pause = PAUSE }: { log: Log; signal: AbortSignal; pause?: typeof PAUSE },
): Promise<void> {
  for (let wait = pause.first; !signal.aborted; wait = Math.min(2 * wait, pause.max)) {
    try {
      const cut = await cutLongExcerpts(sql, signal);
      if (cut > 0) log.info("long excerpts cut", { cut });
      if (signal.aborted || await limitExcerpts(sql)) return;
    } catch (error) {
      log.warn("long excerpts not cut", errorFields(error));
    }
    await pauseFor(wait, signal);
  }
}

/**
 * Makes the database refuse long excerpts. Returns false if a long excerpt was written meanwhile.
 */
async function limitExcerpts(sql: Sql): Promise<boolean> {
  const isLimited = await callWriter<boolean>(sql, sql`limit_excerpts()`);
  if (isLimited) await retryOnLock(() => sql`select validate_excerpts()`);
  return isLimited;
}

/** Resolves after a number of milliseconds, or at once when the signal aborts. */
async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {});
}

/**
 * Lists the next long excerpts. The database counts characters, and JavaScript counts UTF-16 units.
 * A text has at least as many units as characters, so the database accepts every excerpt that was
 * cut.
 */
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
