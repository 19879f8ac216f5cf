-- What may be shown of observations, read through the one view of deliverable ones. PL/pgSQL keeps
-- the plan of a query, which a function in SQL makes anew at every call: half the time of an answer.

-- An instant as the wire writes it.
create or replace function instant(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- An instant to the microsecond, in a fixed width: texts compare as the instants do.
create or replace function exact_instant(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- The deliverable ones among p_ids, in no order: the caller knows the order it asked for.
-- p_domains adds the hostnames that each observation supports.
create or replace function observation_rows(p_ids bigint[], p_domains boolean)
returns json language plpgsql stable as $$
begin
  return (
    select coalesce(json_agg(json_build_object(
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
      'occurred_at', instant(o.occurred_at),
      'observed_at', instant(o.observed_at),
      'expires_at', instant(o.expires_at),
      'last_seen_at', instant(o.last_seen_at),
      'categories', o.categories,
      'evidence', (
        select json_agg(json_build_object(
          'source_uri', e.source_uri,
          'excerpt', e.excerpt,
          'occurred_at', instant(e.occurred_at),
          'observed_at', instant(e.observed_at)
        ) order by e.id)
        from evidence e
        where e.observation_id = o.id and e.withdrawn_at is null
      ),
      'domains', case when p_domains then (
        select json_agg(json_build_object('id', d.id, 'hostname', d.hostname) order by d.id)
        from observation_domains od
        join company_domains cd
          on cd.domain_id = od.domain_id and cd.company_id = o.company_id and cd.active
        join domains d on d.id = od.domain_id
        where od.observation_id = o.id
      ) end
    )), '[]')
    from deliverable_observations o
    where o.id = any(p_ids)
  );
end $$;
