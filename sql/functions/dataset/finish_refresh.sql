-- Ends a successful run, in one statement under its lease. p_outcome is `complete`, or
-- `not_modified` if the source answered that nothing has changed.
--
-- p_listed_prefix is set if a run lists all records of the feed, whose external ids start with it.
-- After a complete run, the records that it did not list are marked as gone. If nothing has
-- changed, all records count as seen. Records that have expired are ignored.
--
-- A run may fail to list records that still exist. Its outcome is `suspicious`, and no record is
-- marked, under two conditions: more than half of the records are missing, and either more than 20
-- are missing, the run rejected records, or the run read none: an error page or an empty answer has
-- no records either. The outcome stays `suspicious` until a run lists more, or the operator confirms
-- it.
--
-- A doubtful row may be or hide any of the missing records. A run with such a row is `suspicious`
-- if a record is missing, and nobody can confirm it.
--
-- A listing that is a tenth shorter than usual is shrinking (src/ingest/refresh/feed_health.ts). It
-- does not change the usual number of records, so that the warning stays until the listing has
-- recovered, or the operator confirms it.
--
-- Returns {outcome, gone}, or null if the lease was lost.
create or replace function finish_refresh(
  p_feed_id integer,
  p_lease uuid,
  p_outcome text,
  p_listed_prefix text,
  p_counts jsonb,
  p_validators jsonb,
  p_now timestamptz
) returns json language plpgsql as $$
declare
  at timestamptz := coalesce(p_now, now());
  clock record;
  feed source_feeds;
  present_ids bigint[];
  missing_ids bigint[] := '{}';
  suspicious boolean := false;
  doubtful integer := coalesce((p_counts->>'doubtful')::integer, 0);
  accepted integer := coalesce((p_counts->>'recorded')::integer, 0)
    + coalesce((p_counts->>'revised')::integer, 0)
    + coalesce((p_counts->>'unchanged')::integer, 0);
  again boolean;
  gone integer := 0;
begin
  -- The clock is locked before the feed's row, because every writer locks the clock first.
  if p_listed_prefix is not null then clock := advance_dataset_clock(); end if;
  select * into feed from source_feeds
  where id = p_feed_id and lease_token = p_lease
  for update;
  if not found then return null; end if;

  if p_listed_prefix is not null then
    select
      coalesce(array_agg(o.id), '{}'),
      coalesce(
        array_agg(o.id)
          filter (where greatest(o.recorded_at, o.last_seen_at) <= feed.seen_after),
        '{}'
      )
    into present_ids, missing_ids
    from observations o
    where o.source_id = feed.source_id
      and starts_with(o.external_id, p_listed_prefix)
      and o.gone_at is null
      and o.withdrawn_at is null
      and (o.expires_at is null or o.expires_at > at);
    if p_outcome = 'not_modified' then
      missing_ids := '{}';
      update observations set last_seen_at = clock.recorded_at where id = any(present_ids);
    end if;
    suspicious := (doubtful > 0 and cardinality(missing_ids) > 0) or (
      not feed.believed
      and cardinality(missing_ids) * 2 > cardinality(present_ids)
      and (
        cardinality(missing_ids) > 20
        or (p_counts->>'rejected')::integer > 0
        or (p_counts->>'read')::integer = 0
      )
    );
    if not suspicious then
      update observations set gone_at = at, change_seq = clock.change_seq
      where id = any(missing_ids);
      gone := cardinality(missing_ids);
    end if;
  end if;

  -- True if an operator has requested a complete read during this run.
  again := feed.due_at > feed.last_started_at;
  update source_feeds set
    lease_token = null,
    leased_until = null,
    due_at = case when again then due_at else at + refresh_interval end,
    -- After a suspicious run, the next run must read everything again.
    validators = case when not suspicious and not again then p_validators end,
    run_started_at = null,
    seen_after = null,
    checkpoint = null,
    believed = believed and (again or p_outcome = 'not_modified'),
    failures = 0,
    last_succeeded_at = at,
    last_outcome = case when suspicious then 'suspicious' else p_outcome end,
    last_error = case when suspicious then format(
      '%s of %s records were missing: %s',
      cardinality(missing_ids),
      cardinality(present_ids),
      case when doubtful = 0 then 'too many to believe'
        else format('%s doubtful rows may hide them', doubtful)
      end
    ) end,
    last_counts = case when p_outcome = 'not_modified' then last_counts
      else p_counts || jsonb_build_object('gone', gone)
    end,
    usual_records = case
      when p_listed_prefix is null then null
      when p_outcome = 'not_modified' or suspicious then usual_records
      when not feed.believed and accepted * 10 < usual_records * 9 then usual_records
      else accepted
    end
  where id = feed.id
  returning last_outcome into p_outcome;
  return json_build_object('outcome', p_outcome, 'gone', gone);
end $$;
