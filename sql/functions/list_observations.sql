-- Observations of the companies that hold the hostnames, in the order in which they were recorded,
-- strictly after a position and up to the moment that the dataset has reached. Read in one
-- statement with dataset_clock: whoever continues from `until` misses nothing, since nothing is
-- ever recorded at or before a moment that was seen.
-- {rows: [{observation_id, company_id, recorded_at}], until, domains: [{hostname, status}]}; a row
-- more than p_limit says that there are more.
create or replace function list_observations(
  p_hostnames text[],
  p_kinds text[],
  p_after timestamptz,
  p_after_id bigint,
  p_until timestamptz,
  p_limit integer
) returns json language sql stable as $$
  with reached as (
    select least(c.recorded_at, p_until) as until from dataset_clock c
  ), holders as materialized (
    select distinct d.hostname, d.company_id
    from deliverable_domains d
    where d.hostname = any(p_hostnames)
  ), page as materialized (
    select o.id, o.company_id, o.recorded_at
    from deliverable_observations o, reached
    where o.company_id in (select company_id from holders)
      and (o.recorded_at, o.id) > (p_after, p_after_id)
      and o.recorded_at <= reached.until
      and (p_kinds = '{}' or o.kind = any(p_kinds))
    order by o.recorded_at, o.id
    limit p_limit + 1
  )
  select json_build_object(
    'rows', (
      select coalesce(json_agg(json_build_object(
        'observation_id', id, 'company_id', company_id, 'recorded_at', instant(recorded_at)
      ) order by recorded_at, id), '[]')
      from page
    ),
    'until', (select instant(greatest(until, 'epoch')) from reached),
    'domains', (
      select json_agg(json_build_object(
        'hostname', h.hostname,
        'status', case when exists (select from holders x where x.hostname = h.hostname)
          then 'found' else 'not_found' end
      ) order by h.place)
      from unnest(p_hostnames) with ordinality h (hostname, place)
    )
  )
$$;
