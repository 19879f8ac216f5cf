-- Lists observations of the companies that have the hostnames, in the order in which the hostnames
-- gained them. The list is strictly after a position, and ends at the present moment of the
-- dataset. The same statement reads that moment and the observations. No observation is ever
-- recorded at or before a moment that was read, so a caller that continues from `until` misses
-- none.
--
-- A hostname gains an observation when the observation is recorded, or when it is listed again for
-- this hostname (relist_observations). For several hostnames, the first of these moments counts. An
-- observation is `early` if one of its company's hostnames gained it at its recorded_at. Otherwise
-- it is `late`.
--
-- Returns {rows: [{observation_id, company_id, recorded_at}], until, domains: [{hostname,
-- status}]}. recorded_at is the moment of the gain. If there are p_limit + 1 rows, a further page
-- exists.
create or replace function list_observations(
  p_hostnames text[],
  p_kinds text[],
  p_after timestamptz,
  p_after_id bigint,
  p_until timestamptz,
  p_limit integer
) returns json language sql stable as $$
  with reached as materialized (
    select least(c.recorded_at, p_until) as until from dataset_clock c
  ), holders as materialized (
    select d.hostname, cd.domain_id, cd.company_id
    from domains d
    join company_domains cd on cd.domain_id = d.id
    -- The offset ends the lookup at the first observation that supports the link.
    where d.hostname = any(p_hostnames) and exists (
      select from deliverable_domains s
      where s.domain_id = cd.domain_id and s.company_id = cd.company_id
      offset 0
    )
  ), early as (
    select o.*
    from (select distinct company_id from holders) c
    cross join reached
    cross join lateral (
      select o.id, o.company_id, o.recorded_at
      from deliverable_observations o
      where o.company_id = c.company_id
        and (o.recorded_at, o.id) > (p_after, p_after_id)
        and o.recorded_at <= reached.until
        and (p_kinds = '{}' or o.kind = any(p_kinds))
        and exists (
          select from holders h
          where h.company_id = o.company_id and not exists (
            select from relisted_observations r
            where r.domain_id = h.domain_id
              and r.observation_id = o.id
              and r.recorded_at > o.recorded_at
          )
        )
      order by o.recorded_at, o.id
      limit p_limit + 1
    ) o
  ), late as (
    select l.*
    from holders h
    cross join reached
    cross join lateral (
      select o.id, o.company_id, r.recorded_at
      from (
        select * from relisted_observations a
        where a.domain_id = h.domain_id
          and (a.recorded_at, a.observation_id) > (p_after, p_after_id)
          and a.recorded_at <= reached.until
        order by a.recorded_at, a.observation_id
        offset 0
      ) r
      -- The rows are sorted before the lookups, so that the limit ends the lookups.
      cross join lateral (
        select * from deliverable_observations d where d.id = r.observation_id offset 0
      ) o
      where o.company_id = h.company_id
        and r.recorded_at > o.recorded_at
        and (p_kinds = '{}' or o.kind = any(p_kinds))
        and not exists (
          select from holders sooner
          left join relisted_observations s
            on s.domain_id = sooner.domain_id and s.observation_id = o.id
          where sooner.company_id = o.company_id
            and greatest(s.recorded_at, o.recorded_at) < r.recorded_at
        )
      order by r.recorded_at, r.observation_id
      limit p_limit + 1
    ) l
  ), page as materialized (
    select * from early union all select * from late
    order by recorded_at, id
    limit p_limit + 1
  )
  select json_build_object(
    'rows', (
      select coalesce(json_agg(json_build_object(
        'observation_id', id, 'company_id', company_id, 'recorded_at', exact_instant(recorded_at)
      ) order by recorded_at, id), '[]')
      from page
    ),
    'until', (select exact_instant(greatest(until, 'epoch')) from reached),
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
