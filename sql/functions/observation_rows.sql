-- Functions that return observations that may be shown. The view deliverable_observations defines
-- which these are.
--
-- The body of an observation does not change until it is revised, so a process caches it as JSON. A
-- statement returns the observations that may be shown now, each with its revision. It adds the
-- bodies of revisions that the process does not have.
--
-- Most functions are in PL/pgSQL, which caches the plans of its queries. A function in SQL is
-- planned at every call, unless it is short enough to be inlined into the calling query.

-- Formats an instant for the API.
create or replace function instant(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Formats an instant to the microsecond. Texts have a fixed width, and sort in the order of time.
create or replace function exact_instant(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- Returns an identifier of the present body of an observation. Every change of the body gives the
-- observation a new change_seq, except for a new last_seen_at of an unchanged record. The
-- identifier therefore contains both.
create or replace function observation_revision(p_change_seq bigint, p_last_seen_at timestamptz)
returns text language sql stable as $$
  select case
    when p_last_seen_at is null then p_change_seq::text
    else concat_ws(' ', p_change_seq, extract(epoch from p_last_seen_at))
  end
$$;

-- Returns the present bodies of observations, without their companies: {id: body}.
create or replace function observation_bodies(p_ids bigint[])
returns json language plpgsql stable as $$
begin
  return (
    select json_object_agg(o.id, json_build_object(
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
      )
    ))
    from observations o
    where o.id = any(p_ids)
  );
end $$;

-- Returns the hostnames for which observations are evidence that they belong to the company:
-- {observation id: [{id, hostname}]}, with the ids of the domains. p_company_ids are the companies
-- of the observations, in a parallel list.
drop function if exists observation_hostnames(bigint[]);
create or replace function observation_hostnames(p_ids bigint[], p_company_ids bigint[])
returns json language plpgsql stable as $$
begin
  return (
    select json_object_agg(h.id, h.hostnames)
    from (
      select
        o.id,
        json_agg(json_build_object('id', d.id, 'hostname', d.hostname) order by d.id) as hostnames
      from unnest(p_ids, p_company_ids) o (id, company_id)
      cross join lateral (
        select d.id, d.hostname
        from observation_domains od
        join company_domains cd
          on cd.domain_id = od.domain_id and cd.company_id = o.company_id and cd.active
        join domains d on d.id = od.domain_id
        where od.observation_id = o.id
        -- The offset keeps the planner from reading a whole table.
        offset 0
      ) d
      group by o.id
    ) h
  );
end $$;

-- Returns observations in parallel lists: {ids, company_ids, company_names, revisions}. Adds
-- `bodies` of the observations in p_lacking. If p_hostnames is true, adds `hostnames` of all
-- observations. Each of the two is an object keyed by observation id, or null.
create or replace function shown_json(
  p_ids bigint[],
  p_company_ids bigint[],
  p_company_names text[],
  p_revisions text[],
  p_lacking bigint[],
  p_hostnames boolean
) returns json language plpgsql stable as $$
declare
  bodies json;
  hostnames json;
begin
  if p_lacking is not null then bodies := observation_bodies(p_lacking); end if;
  if p_hostnames then hostnames := observation_hostnames(p_ids, p_company_ids); end if;
  return json_build_object(
    'ids', coalesce(p_ids, '{}'),
    'company_ids', p_company_ids,
    'company_names', p_company_names,
    'revisions', p_revisions,
    'bodies', bodies,
    'hostnames', hostnames
  );
end $$;

-- Returns the deliverable observations among p_ids, in their order. Bodies are added only if
-- p_bodies is true. A process that lacks a body repeats the read with p_bodies. p_hostnames adds
-- the hostnames for which each observation is evidence.
create or replace function shown_observations(
  p_ids bigint[],
  p_bodies boolean,
  p_hostnames boolean
) returns json language plpgsql stable as $$
declare
  ids bigint[];
  company_ids bigint[];
  company_names text[];
  revisions text[];
begin
  select
    array_agg(o.id),
    array_agg(o.company_id),
    array_agg(o.company_name),
    array_agg(o.revision)
  into ids, company_ids, company_names, revisions
  from (
    select
      o.id,
      o.company_id,
      o.company_name,
      observation_revision(o.change_seq, o.last_seen_at) as revision
    from unnest(p_ids) with ordinality u (id, place)
    join deliverable_observations o on o.id = u.id
    order by u.place
  ) o;
  return shown_json(
    ids, company_ids, company_names, revisions, case when p_bodies then ids end, p_hostnames);
end $$;
