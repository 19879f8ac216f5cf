-- Functions that return observations that may be shown. The view deliverable_observations defines
-- which these are.

-- Formats an instant for the API.
create or replace function instant(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Formats an instant to the microsecond. Texts have a fixed width, and sort in the order of time.
create or replace function exact_instant(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- Returns the deliverable observations among p_ids, in their order, as a list of objects with their
-- company and evidence. p_hostnames adds the hostnames for which each observation is evidence.
create or replace function shown_observations(p_ids bigint[], p_hostnames boolean)
returns json language plpgsql stable as $$
begin
  return (
    select coalesce(json_agg(shown), '[]')
    from (
      select
        o.id, o.company_id, o.company_name, o.source_id, o.kind, o.observed_fact,
        o.why_it_may_matter, o.demand_class, o.country, o.confidence, o.occurred_at,
        o.observed_at, o.expires_at, o.last_seen_at, o.categories,
        (
          select json_agg(standing)
          from (
            select e.source_uri, e.excerpt, e.occurred_at, e.observed_at
            from evidence e
            where e.observation_id = o.id and e.withdrawn_at is null
            order by e.id
          ) standing
        ) as evidence,
        case when p_hostnames then (
          select json_agg(hostname_rows)
          from (
            select d.id, d.hostname
            from observation_domains od
            join company_domains cd
              on cd.domain_id = od.domain_id and cd.company_id = o.company_id and cd.active
            join domains d on d.id = od.domain_id
            where od.observation_id = o.id
            order by d.id
          ) hostname_rows
        ) end as domains
      from unnest(p_ids) with ordinality u (id, place)
      join deliverable_observations o on o.id = u.id
      order by u.place
    ) shown
  );
end $$;
