-- Functions with which an operator changes sources and their feeds. set_source is in
-- manage_dataset.sql.

-- Creates the row of a source. The clock is locked, because recording creates such rows too.
create or replace function register_source(p_name text) returns void language plpgsql as $$
begin
  if exists (select from sources where name = p_name) then return; end if;
  perform advance_dataset_clock();
  insert into sources (name) values (p_name) on conflict (name) do nothing;
end $$;

-- Sets the address of the requests to a source; null: the default address. Deletes the validators
-- and checkpoints of its feeds, which belong to the former address, and ends their runs. Returns
-- null if there is no such source.
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

-- Adds an operator's own feed, or replaces the address and definition of one. A current run of the
-- former definition ends, and the next run reads everything. `replaced` is true if there was one.
create or replace function add_own_feed(p_name text, p_address text, p_definition jsonb)
returns json language plpgsql as $$
declare
  replaced boolean;
begin
  perform register_source(p_name);
  select own_feed is not null into replaced from sources where name = p_name for update;
  perform set_source_address(p_name, p_address);
  update sources set own_feed = p_definition where name = p_name;
  return json_build_object('source', p_name, 'address', p_address, 'replaced', replaced);
end $$;

-- Removes an operator's own feed with its schedule. Its records stay. A current run loses its lease.
-- Returns null if there is no such feed.
create or replace function remove_own_feed(p_name text) returns json language sql as $$
  with removed as (
    update sources set own_feed = null, address = null
    where name = p_name and own_feed is not null
    returning id, name
  ), unscheduled as (
    delete from source_feeds f using removed where f.source_id = removed.id
  )
  select json_build_object('source', name, 'removed', true) from removed
$$;

-- Schedules a feed, which is due at once. An existing feed gets the new interval and company, and
-- is due at the latest after one new interval. Its validators are deleted, so that its next request
-- is not answered with "unchanged". Returns null if there is no such source.
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
