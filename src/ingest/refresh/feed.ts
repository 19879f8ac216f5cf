/**
 * Reads and writes feeds in the database. A feed is a source, or one target of a source such as a
 * job board, that is fetched at regular intervals.
 */
import type { Sql } from "../../db/connect.ts";
import type { Statement } from "../../db/sql.ts";
import type { Validators } from "./ask.ts";
import type { RefreshContext } from "./context.ts";
import type { RefreshFault } from "./fault.ts";
import type { ReadContext } from "../record/entry.ts";
import type { IngestCounts } from "../record/pipeline.ts";
import type { SourceRequest } from "../sources/kit/source.ts";
import { FEED_LEASE_SECONDS } from "./lease.ts";

/** A feed under the lease of this process. */
export interface LeasedFeed {
  feed_id: number;
  token: string;
  source: string;
  /** Address that replaces the default address of the source. */
  address: string | null;
  target: string | null;
  company: ReadContext["company"] | null;
  validators: Validators & { url: string } | null;
  /** Point at which an interrupted run continues. */
  checkpoint: Checkpoint | null;
}

/** Progress of a run: next request, number of earlier requests, and counts of records so far. */
export interface Checkpoint {
  request: SourceRequest;
  requests: number;
  counts: IngestCounts;
}

/** End of a run without failure. */
export interface Finished {
  /**
   * `suspicious`: too many records were missing from the answers, or a row was doubtful. No record
   * was hidden.
   */
  outcome: "complete" | "not_modified" | "suspicious";
  /** Number of records that this run has hidden because the source no longer lists them. */
  gone: number;
}

type Clocked = Pick<RefreshContext, "sql" | "now">;

/**
 * Leases the feed that has been due longest among these sources, and the operator's own feeds whose
 * header this process has. Returns undefined if no feed is due.
 */
export async function leaseFeed(
  { sql, now, header_variables }: Clocked & Pick<RefreshContext, "header_variables">,
  sources: readonly string[],
): Promise<LeasedFeed | undefined> {
  const token = crypto.randomUUID();
  const [row] = await sql<{ feed: Omit<LeasedFeed, "token"> | null }[]>`
    select lease_feed(
      array(
        select unnest(${sources}::text[])
        except select name from sources where own_feed is not null
        union all select name from sources
        where own_feed is not null
          and (
            own_feed->>'header_variable' is null
            or own_feed->>'header_variable' = any(${header_variables}::text[])
          )
      ),
      ${token},
      ${FEED_LEASE_SECONDS},
      ${now?.() ?? null}
    ) as feed
  `;
  return row!.feed === null ? undefined : { ...row!.feed, token };
}

/** Extends the lease. Returns false if the lease is lost or the source is no longer permitted. */
export async function renewFeed({ sql, now }: Clocked, feed: LeasedFeed): Promise<boolean> {
  const end = sql`coalesce(${
    now?.() ?? null
  }, now()) + make_interval(secs => ${FEED_LEASE_SECONDS})`;
  return await updateLeased(sql, feed, sql`leased_until = ${end}`);
}

/**
 * Saves the point at which an interrupted run continues. Returns false if the lease is lost or the
 * source is no longer permitted.
 */
export async function saveCheckpoint(
  { sql }: Clocked,
  feed: LeasedFeed,
  checkpoint: Checkpoint,
): Promise<boolean> {
  const state = JSON.stringify(checkpoint);
  return await updateLeased(sql, feed, sql`checkpoint = ${state}::text::jsonb`);
}

async function updateLeased(
  sql: Sql,
  feed: LeasedFeed,
  assignment: Statement<unknown>,
): Promise<boolean> {
  const rows = await sql`
    update source_feeds f set ${assignment}
    from sources s
    where f.id = ${feed.feed_id} and f.lease_token = ${feed.token}
      and s.id = f.source_id and s.permitted
    returning f.id
  `;
  return rows.length > 0;
}

/** Gives up the lease, so that another process can continue at the checkpoint at once. */
export async function releaseFeed({ sql }: Clocked, feed: LeasedFeed): Promise<void> {
  await sql`
    update source_feeds set lease_token = null, leased_until = null
    where id = ${feed.feed_id} and lease_token = ${feed.token}
  `;
}

/** Ends a run without failure. Returns null if the lease is lost. */
export async function finishRefresh(
  { sql, now }: Clocked,
  feed: LeasedFeed,
  run: {
    outcome: "complete" | "not_modified";
    /**
     * Prefix of the external ids of the target's records. Absent if the run lists only some
     * records.
     */
    listed_prefix?: string;
    counts: IngestCounts;
    validators: LeasedFeed["validators"];
  },
): Promise<Finished | null> {
  const [row] = await sql<{ finished: Finished | null }[]>`
    select finish_refresh(
      ${feed.feed_id},
      ${feed.token},
      ${run.outcome},
      ${run.listed_prefix ?? null},
      ${JSON.stringify(run.counts)}::text::jsonb,
      ${JSON.stringify(run.validators)}::text::jsonb,
      ${now?.() ?? null}
    ) as finished
  `;
  return row!.finished;
}

/** Ends a failed run and schedules the next one, unless the lease is lost. */
export async function failRefresh(
  { sql, now }: Clocked,
  feed: LeasedFeed,
  { error, retry_at, temporary }: Omit<RefreshFault, "defect">,
): Promise<void> {
  await sql`
    select fail_refresh(
      ${feed.feed_id},
      ${feed.token},
      ${error},
      ${retry_at ?? null},
      ${temporary},
      ${now?.() ?? null}
    )
  `;
}
