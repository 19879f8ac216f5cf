/** Reads whether operators' own feeds bring records as usual. */
import type { Sql } from "../../db/connect.ts";

/** State of a scheduled feed of the operator. */
interface FeedHealth {
  source: string;
  /** Accepted records of the last complete run; null before the first one. */
  accepted: number | null;
  /** Accepted records of a full listing before it shrank; null without a full listing. */
  usual: number | null;
  /** Name of the variable that contains the header of requests, or null. */
  header_variable: string | null;
}

/**
 * Share of the usual number of records below which a listing is shrinking. It is the rule of
 * finish_refresh.sql and of deploy/prometheus-rules.yaml, where a tenth of rejected records is an
 * alert too.
 */
const USUAL_SHARE = 0.9;

/** Returns the state of every scheduled feed of the operator, by name. */
export async function readFeedHealth(sql: Sql): Promise<FeedHealth[]> {
  return await sql<FeedHealth[]>`
    select
      s.name as source,
      (f.last_counts->>'recorded')::integer + (f.last_counts->>'revised')::integer
        + (f.last_counts->>'unchanged')::integer as accepted,
      f.usual_records as usual,
      s.own_feed->>'header_variable' as header_variable
    from source_feeds f
    join sources s on s.id = f.source_id
    where s.own_feed is not null
    order by s.name
  `;
}

/** Returns whether the last complete run of a listing had clearly fewer records than usual. */
export function isShrinking({ accepted, usual }: FeedHealth): boolean {
  return accepted !== null && usual !== null && accepted < usual * USUAL_SHARE;
}
