-- Functions that lease feeds for scheduled refresh, and reschedule them after failures.

-- Takes the lease of the feed that has been due longest, among the permitted sources of p_sources.
-- An interrupted run continues from its checkpoint. It starts again if it began longer ago than the
-- feed's interval or a day, whichever is shorter. Old and new pages would otherwise not form a
-- consistent listing. Returns null if no feed is due.
create or replace function lease_feed(
  p_sources text[],
  p_lease uuid,
  p_lease_seconds integer,
  p_now timestamptz
) returns json language sql as $$
  with due as (
    select f.id, coalesce(p_now, now()) as at
    from source_feeds f
    join sources s on s.id = f.source_id
    where s.permitted
      and s.name = any(p_sources)
      and f.due_at <= coalesce(p_now, now())
      and (f.leased_until is null or f.leased_until <= coalesce(p_now, now()))
    order by f.due_at, f.id
    limit 1
    for update of f skip locked
  ), judged as (
    select
      due.*,
      f.checkpoint is not null
        and f.run_started_at > due.at - least(f.refresh_interval, interval '1 day') as resumed
    from due
    join source_feeds f using (id)
  ), leased as (
    update source_feeds f set
      lease_token = p_lease,
      leased_until = j.at + make_interval(secs => p_lease_seconds),
      last_started_at = j.at,
      run_started_at = case when j.resumed then f.run_started_at else j.at end,
      seen_after = case when j.resumed then f.seen_after else clock.recorded_at end,
      checkpoint = case when j.resumed then f.checkpoint end
    from judged j, dataset_clock clock
    where f.id = j.id
    returning f.*
  )
  select json_build_object(
    'feed_id', f.id,
    'source', s.name,
    'address', s.address,
    'target', nullif(f.target, ''),
    'company', f.company,
    'validators', f.validators,
    'checkpoint', f.checkpoint
  )
  from leased f
  join sources s on s.id = f.source_id
$$;

-- Reschedules a feed after a failure. The back-off is 60 s after the first failure, and doubles
-- with each further consecutive failure. Its max is 16 intervals or 7 days, whichever is shorter,
-- but at least one interval. A longer back-off that the source requests is honoured up to a day.
-- Returns whether the process still had the lease.
create or replace function fail_refresh(
  p_feed_id integer,
  p_lease uuid,
  p_error text,
  p_retry_at timestamptz,
  p_keep_checkpoint boolean,
  p_now timestamptz
) returns boolean language sql as $$
  with failed as (
    update source_feeds f set
      lease_token = null,
      leased_until = null,
      failures = f.failures + 1,
      due_at = greatest(
        at + least(
          interval '60 s' * 2 ^ least(f.failures, 20),
          greatest(f.refresh_interval, least(f.refresh_interval * 16, interval '7 days'))
        ),
        case when p_retry_at is not null then least(p_retry_at, at + interval '1 day') end
      ),
      last_outcome = 'failed',
      last_error = p_error,
      -- A part of the answer may already be recorded, so the next request must not be answered with
      -- "unchanged".
      validators = null,
      run_started_at = case when p_keep_checkpoint then f.run_started_at end,
      seen_after = case when p_keep_checkpoint then f.seen_after end,
      checkpoint = case when p_keep_checkpoint then f.checkpoint end
    from coalesce(p_now, now()) at
    where f.id = p_feed_id and f.lease_token = p_lease
    returning f.id
  )
  select exists (select from failed)
$$;
