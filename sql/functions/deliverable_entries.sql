-- The first p_limit of ranked entries, from p_position on, that may be delivered at this moment:
-- each with those of its observations that are deliverable and that the filters admit. Filters are
-- authoritative, so they are checked here again, however far the index is behind.
--
-- p_company_ids are the companies of the entries. The other lists go together: an observation, the
-- place of its entry (from 1, ascending), and the revision that the process can show, or null.
--
-- entries is a list of {company_id, observation_ids}. next_position is where the next page starts;
-- null where nothing deliverable is left for one. companies, observations and fresh count what is
-- delivered. shown is as shown_observations() has it, with the bodies that the process lacks;
-- p_bodies is false where nobody waits for them.
create or replace function deliverable_entries(
  p_company_ids bigint[],
  p_places integer[],
  p_observation_ids bigint[],
  p_known text[],
  p_position integer,
  p_limit integer,
  p_filters jsonb,
  p_fresh_observation_ids bigint[],
  p_bodies boolean,
  p_hostnames boolean,
  out entries jsonb,
  out next_position integer,
  out companies integer,
  out observations integer,
  out fresh integer,
  out shown json
) language plpgsql stable as $$
declare
  countries text[];
  kinds text[];
  demand_classes text[];
  company_ids bigint[];
  exclude_company_ids bigint[];
  domains text[];
  exclude_domains text[];
  occurred_after timestamptz;
  observed_after timestamptz;
  holder_ids bigint[];
  exclude_holder_ids bigint[];
  -- One more than is asked for: it tells whether a next page would hold anything.
  needed bigint := coalesce(p_limit + 1, cardinality(p_company_ids));
  looked_at bigint;
  first integer := width_bucket(p_position, p_places) + 1;
  last integer;
  shown_ids bigint[];
  shown_company_ids bigint[];
  shown_names text[];
  revisions text[];
  lacking bigint[];
begin
  if p_filters is not null then
    -- An empty list does not restrict.
    select
      nullif(f.countries, '{}'),
      nullif(f.kinds, '{}'),
      nullif(f.demand_classes, '{}'),
      nullif(f.company_ids, '{}'),
      nullif(f.exclude_company_ids, '{}'),
      nullif(f.domains, '{}'),
      nullif(f.exclude_domains, '{}'),
      f.occurred_after,
      f.observed_after
    into
      countries,
      kinds,
      demand_classes,
      company_ids,
      exclude_company_ids,
      domains,
      exclude_domains,
      occurred_after,
      observed_after
    from jsonb_to_record(p_filters) as f (
      countries text[],
      kinds text[],
      demand_classes text[],
      company_ids bigint[],
      exclude_company_ids bigint[],
      domains text[],
      exclude_domains text[],
      occurred_after timestamptz,
      observed_after timestamptz
    );
  end if;
  -- By themselves, so that a search without hostnames does not pay for the plan of their view.
  if domains is not null then
    holder_ids := array(
      select distinct d.company_id from deliverable_domains d
      where d.company_id = any(p_company_ids) and d.hostname = any(domains)
    );
  end if;
  if exclude_domains is not null then
    exclude_holder_ids := array(
      select distinct d.company_id from deliverable_domains d
      where d.company_id = any(p_company_ids) and d.hostname = any(exclude_domains)
    );
  end if;
  -- First those that suffice if nearly all are deliverable, and only if they do not, all of them.
  for attempt in 1..2 loop
    last := case attempt
      when 1 then width_bucket((p_position + needed + 5)::integer, p_places)
      else cardinality(p_places)
    end;
    with looked_up as materialized (
      select * from (
        select
          -- Rows come in the order of entries, so that the looking up ends with the last entry needed.
          dense_rank() over (order by ranked.place) as number,
          ranked.place,
          ranked.known,
          o.*
        from (
          select n.place, p_company_ids[n.place] as company_id, n.id, n.known
          from unnest(
            p_places[first:last],
            p_observation_ids[first:last],
            p_known[first:last]
          ) with ordinality n (place, id, known, line)
          order by n.place, n.line
          offset 0
        ) ranked
        cross join lateral (
          select
            o.id,
            o.company_id,
            o.company_name,
            observation_revision(o.change_seq, o.last_seen_at) as revision
          from deliverable_observations o
          where o.id = ranked.id
            and o.company_id = ranked.company_id
            and (countries is null or o.country = any(countries))
            and (kinds is null or o.kind = any(kinds))
            and (demand_classes is null or o.demand_class = any(demand_classes))
            and (occurred_after is null or o.occurred_at > occurred_after)
            and (observed_after is null or o.observed_at > observed_after)
          offset 0
        ) o
        where (company_ids is null or ranked.company_id = any(company_ids))
          and (exclude_company_ids is null or ranked.company_id <> all(exclude_company_ids))
          and (holder_ids is null or ranked.company_id = any(holder_ids))
          and (exclude_holder_ids is null or ranked.company_id <> all(exclude_holder_ids))
      ) numbered
      where number <= needed
    ), picked as (
      select * from looked_up l where p_limit is null or l.number <= p_limit
    )
    select
      (
        select coalesce(jsonb_agg(e.entry), '[]')
        from (
          select jsonb_build_object(
            'company_id', p.company_id, 'observation_ids', array_agg(p.id)
          ) as entry
          from picked p
          group by p.place, p.company_id
          order by p.place
        ) e
      ),
      (select max(l.number) from looked_up l),
      max(p.place),
      count(distinct p.company_id),
      count(*),
      count(distinct p.id) filter (where p.id = any(p_fresh_observation_ids)),
      array_agg(p.id),
      array_agg(p.company_id),
      array_agg(p.company_name),
      array_agg(p.revision),
      array_agg(p.id) filter (where p.known is distinct from p.revision)
    into
      entries,
      looked_at,
      next_position,
      companies,
      observations,
      fresh,
      shown_ids,
      shown_company_ids,
      shown_names,
      revisions,
      lacking
    from picked p;
    exit when looked_at >= needed or last >= cardinality(p_places);
  end loop;
  if looked_at is null or looked_at < needed then next_position := null; end if;
  shown := shown_json(
    shown_ids,
    shown_company_ids,
    shown_names,
    revisions,
    case when p_bodies then lacking end,
    p_hostnames
  );
end $$;
