-- Functions for the tables of the search engine of SEARCH_URL. There are two sets of tables: one
-- serves searches while the other is filled. Only the holder of the lease may write them.

-- Takes or renews the lease of the tables. Returns {serving, filling, retired}, or null if another
-- process has the lease. retired is true if the other set has not served for a minute, so that no
-- search still reads it.
create or replace function claim_search_tables(p_lease uuid, p_seconds integer)
returns json language sql as $$
  update search_tables set
    lease_token = p_lease,
    leased_until = clock_timestamp() + make_interval(secs => p_seconds)
  where lease_token is null or lease_token = p_lease or leased_until <= clock_timestamp()
    -- No lease lasts longer than this, unless the server's clock was set back.
    or leased_until > clock_timestamp() + make_interval(secs => p_seconds)
  returning json_build_object(
    'serving', serving,
    'filling', filling,
    'retired', coalesce(served_since < clock_timestamp() - interval '1 minute', true)
  )
$$;

-- Renews the lease during a write. Returns false if another process has taken it meanwhile, even if
-- that process has released it again. State that the caller has read before may then be outdated.
create or replace function hold_search_tables(p_lease uuid, p_seconds integer)
returns boolean language sql as $$
  with held as (
    update search_tables set leased_until = clock_timestamp() + make_interval(secs => p_seconds)
    where lease_token = p_lease
    returning only_row
  )
  select exists (select from held)
$$;

-- Stores which set is being filled. Returns whether the process still had the lease.
create or replace function fill_search_tables(p_lease uuid, p_set text)
returns boolean language sql as $$
  with begun as (
    update search_tables set filling = p_set where lease_token = p_lease returning only_row
  )
  select exists (select from begun)
$$;

-- Makes searches read the set that was filled. Returns whether the process still had the lease.
create or replace function serve_search_tables(p_lease uuid, p_set text)
returns boolean language sql as $$
  with served as (
    update search_tables set serving = p_set, served_since = clock_timestamp(), filling = null
    where lease_token = p_lease and filling = p_set
    returning only_row
  )
  select exists (select from served)
$$;

-- Gives the lease back before it ends.
create or replace function release_search_tables(p_lease uuid) returns void language sql as $$
  update search_tables set lease_token = null, leased_until = null where lease_token = p_lease
$$;
