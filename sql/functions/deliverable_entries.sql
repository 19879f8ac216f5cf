-- The first p_limit of ranked entries, from p_position on, that may be delivered at this moment:
-- each with those of its observations that are deliverable and that the filters admit. Filters are
-- authoritative, so they are checked here again, however far the index is behind.
-- An entry is {company_id, observation_ids}. next_position is where the next page starts; null where
-- nothing deliverable is left for one.
create or replace function deliverable_entries(
  p_entries jsonb,
  p_position integer,
  p_limit integer,
  p_filters jsonb,
  out entries jsonb,
  out next_position integer
) language plpgsql stable as $$
declare
  countries text[] := filter_values(p_filters, 'countries');
  kinds text[] := filter_values(p_filters, 'kinds');
  demand_classes text[] := filter_values(p_filters, 'demand_classes');
  company_ids bigint[] := filter_values(p_filters, 'company_ids')::bigint[];
  exclude_company_ids bigint[] := filter_values(p_filters, 'exclude_company_ids')::bigint[];
  domains text[] := filter_values(p_filters, 'domains');
  exclude_domains text[] := filter_values(p_filters, 'exclude_domains');
  occurred_after timestamptz := p_filters ->> 'occurred_after';
  observed_after timestamptz := p_filters ->> 'observed_after';
begin
  select
    coalesce(jsonb_agg(jsonb_build_object(
      'company_id', picked.company_id, 'observation_ids', picked.observation_ids
    ) order by picked.place) filter (where picked.number <= p_limit or p_limit is null), '[]'),
    case when count(*) > p_limit then max(picked.place) filter (where picked.number = p_limit) end
  into entries, next_position
  from (
    select
      row_number() over (order by ranked.place) as number,
      ranked.place,
      ranked.company_id,
      admitted.observation_ids
    from (
      select place::integer, (entry ->> 'company_id')::bigint as company_id, entry
      from jsonb_array_elements(p_entries) with ordinality e (entry, place)
      where place > p_position
      -- In their order before anything is looked up: the limit then ends the looking up.
      order by place
      offset 0
    ) ranked
    cross join lateral (
      select jsonb_agg(o.id order by n.place) as observation_ids
      from jsonb_array_elements_text(ranked.entry -> 'observation_ids') with ordinality n (id, place)
      join deliverable_observations o on o.id = n.id::bigint
      where o.company_id = ranked.company_id
        and (countries is null or o.country = any(countries))
        and (kinds is null or o.kind = any(kinds))
        and (demand_classes is null or o.demand_class = any(demand_classes))
        and (occurred_after is null or o.occurred_at > occurred_after)
        and (observed_after is null or o.observed_at > observed_after)
    ) admitted
    where admitted.observation_ids is not null
      and (company_ids is null or ranked.company_id = any(company_ids))
      and (exclude_company_ids is null or ranked.company_id <> all(exclude_company_ids))
      and (domains is null or exists (
        select from deliverable_domains d
        where d.company_id = ranked.company_id and d.hostname = any(domains)
      ))
      and (exclude_domains is null or not exists (
        select from deliverable_domains d
        where d.company_id = ranked.company_id and d.hostname = any(exclude_domains)
      ))
    order by ranked.place
    -- One more than is asked for: it tells whether a next page would hold anything.
    limit p_limit + 1
  ) picked;
end $$;
