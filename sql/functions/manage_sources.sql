-- Changes to sources and their feeds by an operator, beside set_source.

-- Makes the row of a source; under the clock, for recording makes such rows too.
create or replace function register_source(p_name text) returns void language plpgsql as $$
begin
  if exists (select from sources where name = p_name) then return; end if;
  perform advance_dataset_clock();
  insert into sources (name) values (p_name) on conflict (name) do nothing;
end $$;

-- Where a source is asked from now on; null: at its own address. What its feeds know of the answers
-- of another address is forgotten. Returns null where there is no such source.
create or replace function set_source_address(p_name text, p_address text)
returns json language sql as $$
  with changed as (
    update sources set address = p_address where name = p_name returning id, name, address
  ), forgotten as (
    update source_feeds f set
      validators = null,
      run_started_at = null, seen_after = null, checkpoint = null,
      lease_token = null, leased_until = null
    from changed where f.source_id = changed.id
  )
  select json_build_object('source', name, 'address', address) from changed
$$;

-- A feed is due at once; one that is there already gets its new terms, and is due no later than
-- they say.
create or replace function schedule_feed(
  p_source text,
  p_target text,
  p_interval_seconds integer,
  p_company jsonb,
  p_now timestamptz
) returns json language sql as $$
  insert into source_feeds as f (source_id, target, company, refresh_interval, due_at)
  select
    s.id, p_target, p_company, make_interval(secs => p_interval_seconds), coalesce(p_now, now())
  from sources s where s.name = p_source
  on conflict (source_id, target) do update set
    company = excluded.company,
    refresh_interval = excluded.refresh_interval,
    due_at = least(f.due_at, excluded.due_at + excluded.refresh_interval),
    validators = null
  returning json_build_object(
    'source', p_source, 'target', nullif(target, ''), 'interval_seconds', p_interval_seconds,
    'due_at', instant(due_at)
  )
$$;
