/** Reads and changes the settings and feeds of sources for an operator. */
import type { Sql } from "../../db/connect.ts";
import { UsageError } from "../../failures.ts";
import type { ReadContext } from "../record/entry.ts";
import { remoteOf } from "./ask.ts";
import type { Source } from "../sources/kit/source.ts";
import { keyOfFeed } from "./own_feed.ts";
import type { KeyOf } from "./source_key.ts";

/**
 * Report on a source that has a reader (src/ingest/sources), or a row in the database, or both.
 * Times are ISO 8601.
 */
export interface SourceReport {
  name: string;
  /** Null for a source with records but without a reader. */
  title: string | null;
  licence: string | null;
  attribution: string | null;
  /**
   * True if the source may be fetched and its records may be shown. False until the source has a
   * record or a setting.
   */
  permitted: boolean;
  /**
   * True if the source can be fetched: it is not read from files only, and its key is set if it
   * needs one.
   */
  configured: boolean;
  /** Base address of the requests to the source. */
  address: string | null;
  /** Description of an operator's own feed; null for another source. */
  own_feed: { full_listing: boolean; header_variable: string | null } | null;
  observations: number;
  /** Number of these observations that the source no longer lists. */
  gone: number;
  last_recorded_at: string | null;
  /** Time of the most recent fact, or of its observation if the fact is undated. */
  newest_at: string | null;
  hostname_interval_seconds: number | null;
  /** True if a search that does not fill its first page may send requests to the source. */
  asked_in_searches: boolean;
  feeds: FeedReport[];
}

interface FeedReport {
  id: number;
  target: string | null;
  interval_seconds: number;
  due_at: string;
  /** True if a process is running the feed now. */
  running: boolean;
  last_started_at: string | null;
  last_succeeded_at: string | null;
  last_outcome: "complete" | "not_modified" | "suspicious" | "failed" | null;
  last_error: string | null;
  /** Number of consecutive failures. */
  failures: number;
  /** Counts of the last complete run. */
  counts: object | null;
}

/** Lists every source that has a reader or a row in the database, by name. */
export async function listSources(
  sql: Sql,
  { sources, keyOf }: { sources: ReadonlyMap<string, Source>; keyOf: KeyOf },
): Promise<SourceReport[]> {
  const rows = await readRows(sql, [...sources.keys()]);
  return rows.map(({ name, permitted, address, own_feed, ...state }) => {
    const source = sources.get(name);
    const remote = own_feed === null ? source?.remote : { key: keyOfFeed(own_feed) };
    return {
      name,
      title: source?.title ?? null,
      licence: source?.licence ?? null,
      attribution: source?.attribution ?? null,
      permitted,
      configured: remote !== undefined && keyOf(remote) !== undefined,
      address: address ?? source?.remote?.address ?? null,
      own_feed,
      ...state,
    };
  });
}

type SourceRow = Omit<SourceReport, "title" | "licence" | "attribution" | "configured">;

async function readRows(sql: Sql, names: readonly string[]): Promise<SourceRow[]> {
  return await sql<SourceRow[]>`
    select
      named.name,
      coalesce(s.permitted, false) as permitted,
      s.address,
      s.own_feed - 'mapping' as own_feed,
      counted.observations,
      counted.gone,
      instant(counted.last_recorded_at) as last_recorded_at,
      instant(counted.newest_at) as newest_at,
      extract(epoch from s.hostname_refresh_interval)::integer as hostname_interval_seconds,
      coalesce(s.asked_in_searches, false) as asked_in_searches,
      (
        select coalesce(json_agg(json_build_object(
          'id', f.id,
          'target', nullif(f.target, ''),
          'interval_seconds', extract(epoch from f.refresh_interval)::integer,
          'due_at', instant(f.due_at),
          'running', coalesce(f.leased_until > now(), false),
          'last_started_at', instant(f.last_started_at),
          'last_succeeded_at', instant(f.last_succeeded_at),
          'last_outcome', f.last_outcome,
          'last_error', f.last_error,
          'failures', f.failures,
          'counts', f.last_counts
        ) order by f.target), '[]')
        from source_feeds f where f.source_id = s.id
      ) as feeds
    from (select unnest(${names}::text[]) as name union select name from sources) named
    left join sources s on s.name = named.name
    cross join lateral (
      select
        count(*) as observations,
        count(o.gone_at) as gone,
        max(o.recorded_at) as last_recorded_at,
        max(coalesce(o.occurred_at, o.observed_at)) as newest_at
      from observations o where o.source_id = s.id
    ) counted
    order by named.name collate "C"
  `;
}

/** Settings of a source that the operator changes. Null removes a setting. */
export interface SourceTerms {
  address?: string | null;
  hostname_interval_seconds?: number | null;
  asked_in_searches?: boolean;
}

/** Changes settings of a source. @throws UsageError if the source does not support one of them */
export async function setSourceTerms(sql: Sql, source: Source, terms: SourceTerms): Promise<void> {
  const { address, hostname_interval_seconds: seconds, asked_in_searches } = terms;
  const remote = remoteOf(source);
  if (seconds != null && remote.hostname === undefined) {
    throw new UsageError(`the source ${source.name} cannot be asked for hostnames`);
  }
  if (asked_in_searches && remote.search === undefined) {
    throw new UsageError(`the source ${source.name} cannot be asked in searches`);
  }
  await registerSource(sql, source.name);
  if (address !== undefined) await sql`select set_source_address(${source.name}, ${address})`;
  if (seconds !== undefined) {
    await sql`
      update sources set hostname_refresh_interval = make_interval(secs => ${seconds})
      where name = ${source.name}
    `;
  }
  if (asked_in_searches !== undefined) {
    await sql`update sources set asked_in_searches = ${asked_in_searches} where name = ${source.name}`;
  }
}

/** Returns the address that the operator has set for a source, or null for the default. */
export async function findAddress(sql: Sql, source: string): Promise<string | null> {
  const [row] = await sql<{ address: string | null }[]>`
    select address from sources where name = ${source}
  `;
  return row?.address ?? null;
}

/** Creates the row of a source if it has none. */
export async function registerSource(sql: Sql, name: string): Promise<void> {
  await sql`select register_source(${name})`;
}

type ScheduledFeed =
  & { source: string }
  & Pick<FeedReport, "target" | "interval_seconds" | "due_at">;

/**
 * Schedules a feed. A new feed is due at once, and an existing feed after one new interval at the
 * latest.
 * @throws Error if the target is not valid for the source
 */
export async function scheduleFeed(
  sql: Sql,
  source: Source,
  feed: {
    target?: string;
    /** Absent: the default interval of the source. */
    interval_seconds?: number;
    /** Company of the records that name no company. */
    company?: ReadContext["company"];
    now?: Date;
  },
): Promise<ScheduledFeed> {
  checkTarget(source, feed.target);
  await registerSource(sql, source.name);
  const [row] = await sql<[{ feed: ScheduledFeed }]>`
    select schedule_feed(
      ${source.name},
      ${feed.target ?? ""},
      ${feed.interval_seconds ?? remoteOf(source).interval_seconds},
      ${feed.company === undefined ? null : JSON.stringify(feed.company)}::text::jsonb,
      ${feed.now ?? null}
    ) as feed
  `;
  return row.feed;
}

/** Checks a target. @throws UsageError if the source does not accept the target, or needs one */
export function checkTarget(source: Source, target: string | undefined): void {
  const wanted = remoteOf(source).target;
  if (wanted === undefined) {
    if (target !== undefined) throw new UsageError(`the source ${source.name} takes no TARGET`);
  } else if (target === undefined || !wanted.pattern.test(target)) {
    throw new UsageError(`the source ${source.name} needs a TARGET: ${wanted.meaning}`);
  }
}

interface NamedFeed {
  source: string;
  target?: string;
}

/** Removes a feed. Its records stay. */
export async function unscheduleFeed(
  sql: Sql,
  { source, target }: NamedFeed,
): Promise<{ source: string; target: string | null; scheduled: false } | null> {
  const rows = await sql`
    delete from source_feeds f using sources s
    where s.id = f.source_id and s.name = ${source} and f.target = ${target ?? ""}
    returning f.id
  `;
  return rows.length === 0 ? null : { source, target: target ?? null, scheduled: false };
}

/**
 * Makes a feed due now, or after its current run. A worker then fetches everything again, without
 * validators. Returns null if there is no such feed.
 * @param believed true if every record that the run does not list is hidden, even if they are many
 */
export async function runFeedNow(
  sql: Sql,
  { source, target }: NamedFeed,
  believed: boolean,
): Promise<{ source: string; target: string | null; due_at: string } | null> {
  const [row] = await sql<{ source: string; target: string | null; due_at: string }[]>`
    update source_feeds f set
      due_at = now(),
      validators = null,
      believed = ${believed},
      -- An interrupted run starts over. A current run is not disturbed.
      run_started_at = case when f.lease_token is not null then f.run_started_at end,
      seen_after = case when f.lease_token is not null then f.seen_after end,
      checkpoint = case when f.lease_token is not null then f.checkpoint end
    from sources s
    where s.id = f.source_id and s.name = ${source} and f.target = ${target ?? ""}
    returning s.name as source, nullif(f.target, '') as target, instant(f.due_at) as due_at
  `;
  return row === undefined ? null : { ...row };
}
