-- Returns the fields of observations for an index as rows, by their ids and in any order. An id
-- without an observation has no row. company_id is null if an observation may not be shown now, so
-- that it leaves the index.
--
-- An index is filled right after a bulk load, when the tables may not have been analyzed. All
-- columns must nevertheless be looked up row by row. The offset and the subqueries therefore
-- prevent joins of whole tables for every page (2 s instead of 15 ms for 50,000 observations). With
-- JIT, each page would be compiled first (0.3 s).
create or replace function index_rows(p_ids bigint[])
returns table (
  id bigint,
  change_seq bigint,
  company_id bigint,
  company_name text,
  kind text,
  observed_fact text,
  why_it_may_matter text,
  demand_class text,
  country text,
  occurred_at text,
  observed_at text,
  expires_at text,
  categories json,
  texts json,
  facets jsonb,
  hostnames json
)
language sql stable
set jit = off
as $$
  select
    x.id,
    x.change_seq,
    o.company_id,
    o.company_name,
    o.kind,
    o.observed_fact,
    o.why_it_may_matter,
    o.demand_class,
    o.country,
    to_char(o.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    to_char(o.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    to_char(o.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    to_json(o.categories),
    -- The texts may repeat a withdrawn excerpt. If an excerpt is withdrawn, the remaining excerpts
    -- replace the texts.
    (
      select case
        when x.texts <> '{}' and bool_and(e.withdrawn_at is null) then to_json(x.texts)
        else coalesce(json_agg(e.excerpt order by e.id) filter (where e.withdrawn_at is null), '[]')
      end
      from evidence e
      where e.observation_id = x.id
    ),
    x.facets,
    (
      select coalesce(json_agg((
        select d.hostname from domains d where d.id = od.domain_id
      ) order by od.domain_id), '[]')
      from observation_domains od
      where od.observation_id = x.id and (
        select cd.active
        from company_domains cd
        where cd.domain_id = od.domain_id and cd.company_id = o.company_id
      )
    )
  from unnest(p_ids) requested (id)
  cross join lateral (
    select o.id, o.change_seq, o.texts, o.facets
    from observations o where o.id = requested.id offset 0
  ) x
  left join lateral (
    select * from deliverable_observations d where d.id = x.id offset 0
  ) o on true
$$;
