-- Looks up companies by id or by hostname in the present dataset, with one outcome per target.
-- Returns {entries: [{company_id, observation_ids}], lookups: [{id | hostname, status,
-- company_id}]}.
create or replace function look_up_companies(p_ids bigint[], p_hostnames text[])
returns json language sql stable as $$
  with targets as (
    select t.place, t.id, null::text as hostname, array(
      select o.company_id from deliverable_observations o where o.company_id = t.id limit 1
    ) as companies
    from unnest(p_ids) with ordinality t (id, place)
    union all
    select t.place, null, t.hostname, array(
      select distinct d.company_id from deliverable_domains d where d.hostname = t.hostname limit 2
    )
    from unnest(p_hostnames) with ordinality t (hostname, place)
  )
  select json_build_object(
    'entries', (
      select coalesce(json_agg(json_build_object(
        'company_id', company_id, 'observation_ids', latest_observations(company_id)
      ) order by place), '[]')
      from (
        -- A company with several of the hostnames is returned once.
        select companies[1] as company_id, min(place) as place
        from targets
        where cardinality(companies) = 1
        group by 1
      ) unambiguous
    ),
    'lookups', (
      select json_agg(json_strip_nulls(json_build_object(
        'id', id,
        'hostname', hostname,
        'status', case cardinality(companies)
          when 0 then 'not_found' when 1 then 'found' else 'ambiguous' end,
        'company_id', case when cardinality(companies) = 1 then companies[1] end
      )) order by place)
      from targets
    )
  )
$$;
