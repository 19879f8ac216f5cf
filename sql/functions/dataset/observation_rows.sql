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
    select coalesce(json_agg(
      json_build_object(
        'id', o.id,
        'company_id', o.company_id,
        'company_name', o.company_name,
        'source_id', o.source_id,
        'kind', o.kind,
        'observed_fact', o.observed_fact,
        'why_it_may_matter', o.why_it_may_matter,
        'demand_class', o.demand_class,
        'country', o.country,
        'confidence', o.confidence,
        'occurred_at', o.occurred_at,
        'observed_at', o.observed_at,
        'expires_at', o.expires_at,
        'last_seen_at', o.last_seen_at,
        'categories', o.categories,
        'evidence', (
          select json_agg(json_build_object(
            'source_uri', e.source_uri,
            'excerpt', e.excerpt,
            'occurred_at', e.occurred_at,
            'observed_at', e.observed_at
          ) order by e.id)
          from evidence e
          where e.observation_id = o.id and e.withdrawn_at is null
        ),
        'domains', case when p_hostnames then (
          select json_agg(json_build_object('id', d.id, 'hostname', d.hostname) order by d.id)
          from observation_domains od
          join company_domains cd
            on cd.domain_id = od.domain_id and cd.company_id = o.company_id and cd.active
          join domains d on d.id = od.domain_id
          where od.observation_id = o.id
        ) end
      ) order by u.place
    ), '[]')
    from unnest(p_ids) with ordinality u (id, place)
    join deliverable_observations o on o.id = u.id
  );
end $$;
