-- Returns the first p_limit of the ranked entries, from p_position on, that may be delivered at
-- present. Each contains its observations that are deliverable and match the filters. The filters
-- are checked again here, because the index may lag behind the database.
--
--   p_company_ids      the companies of the entries
--   p_places, p_observation_ids, p_known
--                      parallel lists: the position of an observation's entry (from 1, ascending),
--                      the observation, and the revision whose body the process has, or null
--   p_bodies           false if no caller waits for bodies
--   p_page             the foreseen page: the entries that result if all observations of the first
--                      p_limit entries may be shown. Every entry must have an observation. Null: no
--                      page is foreseen
--   p_moment           the dataset_moment() at which the database has confirmed that page and the
--                      first observation after it, or null. While it stays the same, none of these
--                      observations is looked up
--   p_expires_at       time at which the first of these observations expires, or null
--
--   entries            [{company_id, observation_ids}]
--   next_position      the start of the next page; null if no further entry is deliverable
--   companies, observations, fresh
--                      the numbers of delivered companies, of delivered observations, and of
--                      those among p_fresh_observation_ids, which a source gave for this operation
--   shown              in the form of shown_observations(), with the bodies that the process lacks
--   confirmed          true if the whole page may be shown exactly as the process knows it; shown
--                      is then null
--   confirmation       {moment, expires_at, company_names} for the next settlement of the page,
--                      which passes the first two as p_moment and p_expires_at; null if those that
--                      this call passed are still valid
drop function if exists deliverable_entries(
  bigint[], integer[], bigint[], text[], integer, integer, jsonb, bigint[], boolean, boolean);
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
  p_page jsonb,
  p_moment text,
  p_expires_at timestamptz,
  out entries jsonb,
  out next_position integer,
  out companies integer,
  out observations integer,
  out fresh integer,
  out shown json,
  out confirmed boolean,
  out confirmation json
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
  -- Number of entries to find. One more than the page size tells whether there is a next page.
  needed integer := coalesce(p_limit, cardinality(p_company_ids)) + 1;
  -- Number of entries to look up. Only the first observation of the last one is looked up.
  ahead integer := needed;
  first integer := width_bucket(p_position, p_places) + 1;
  last integer;
  -- Positions of the entries with observations that may be shown, and their number.
  entry_places integer[];
  filled integer;
  -- Names of the companies of the looked-up entries; null for a company that may not be shown.
  entry_names text[];
  -- Observations that may be shown, in parallel lists.
  lines integer[];
  shown_places integer[];
  shown_ids bigint[];
  shown_company_ids bigint[];
  shown_names text[];
  revisions text[];
  known text[];
  lacking bigint[];
  earliest_expiry timestamptz;
  -- Index of the last observation of a foreseen page in the parallel lists.
  page_last integer;
  moment text := case when p_page is not null then dataset_moment() end;
  -- True if nothing was written and nothing has expired since the page was confirmed.
  unchanged boolean;
begin
  unchanged := coalesce(p_filters is null and moment = p_moment, false)
    and coalesce(p_expires_at > now(), true);
  if p_filters is not null then
    -- An empty list is no restriction.
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
  -- This is a separate statement, so that a search without hostnames does not plan the view of
  -- hostnames.
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
  -- In most cases, all entries are deliverable, so the first lookup suffices. Otherwise further
  -- entries are looked up.
  loop
    last := least(width_bucket(p_position + ahead - 1, p_places) + 1, cardinality(p_places));
    if not unchanged then
      entry_names := array(
        select c.name
        from unnest(p_company_ids[p_position + 1:p_position + ahead])
          with ordinality e (company_id, line)
        left join shown_companies c on c.id = e.company_id
        order by e.line
      );
      select array_agg(r.line), array_agg(r.revision), min(r.expires_at)
      into lines, revisions, earliest_expiry
      from (
        select ranked.line, o.revision, o.expires_at
        from (
          select
            first - 1 + n.line as line,
            n.id,
            p_company_ids[n.place] as company_id,
            entry_names[n.place - p_position] as company_name
          from unnest(p_places[first:last], p_observation_ids[first:last])
            with ordinality n (place, id, line)
        ) ranked
        cross join lateral (
          select
            observation_revision(o.change_seq, o.last_seen_at) as revision,
            o.expires_at
          from standing_observations o
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
          and ranked.company_name is not null
        order by ranked.line
      ) r;
    end if;
    -- In most cases, the page may be shown exactly as the process knows it. Only a first page is
    -- foreseen, so its lines are the first ones of the lists.
    if p_page is not null then
      page_last := least(width_bucket(p_limit, p_places), last);
      confirmed := unchanged or (
        cardinality(lines) = last - first + 1
        and revisions[:page_last] = p_known[:page_last]
      );
    end if;
    if confirmed then
      entries := p_page;
      observations := page_last;
      fresh := 0;
      filled := p_places[page_last];
      if page_last < last then next_position := filled; end if;
      select count(distinct e.company_id) into companies
      from unnest(p_company_ids[:filled]) e (company_id);
      if not unchanged then
        confirmation := json_build_object(
          'moment', moment,
          'expires_at', nullif(earliest_expiry, 'infinity'),
          'company_names', entry_names[:filled]
        );
      end if;
      return;
    end if;
    select
      array_agg(p_places[l.line] order by l.line),
      array_agg(p_observation_ids[l.line] order by l.line),
      array_agg(p_company_ids[p_places[l.line]] order by l.line),
      array_agg(entry_names[p_places[l.line] - p_position] order by l.line),
      array_agg(p_known[l.line] order by l.line)
    into shown_places, shown_ids, shown_company_ids, shown_names, known
    from unnest(lines) l (line);
    -- This is a separate statement, because a distinct aggregate also changes the row order of
    -- other aggregates.
    entry_places := array(select distinct p.place from unnest(shown_places) p (place) order by 1);
    filled := cardinality(entry_places);
    exit when filled >= needed or last >= cardinality(p_places);
    ahead := 3 * ahead;
  end loop;
  if filled > p_limit then
    next_position := entry_places[p_limit];
    last := width_bucket(next_position, shown_places);
    shown_places := shown_places[:last];
    shown_ids := shown_ids[:last];
    shown_company_ids := shown_company_ids[:last];
    shown_names := shown_names[:last];
    revisions := revisions[:last];
    known := known[:last];
  end if;
  select coalesce(jsonb_agg(e.entry), '[]') into entries
  from (
    select
      jsonb_build_object('company_id', p.company_id, 'observation_ids', array_agg(p.id)) as entry
    from unnest(shown_places, shown_company_ids, shown_ids) p (place, company_id, id)
    group by p.place, p.company_id
    order by p.place
  ) e;
  select count(distinct p.company_id) into companies from unnest(shown_company_ids) p (company_id);
  observations := coalesce(cardinality(shown_ids), 0);
  fresh := 0;
  if p_fresh_observation_ids <> '{}' then
    select count(distinct p.id) into fresh
    from unnest(shown_ids) p (id)
    where p.id = any(p_fresh_observation_ids);
  end if;
  if p_bodies and known is distinct from revisions then
    select array_agg(p.id) into lacking
    from unnest(shown_ids, revisions, known) p (id, revision, known)
    where p.known is distinct from p.revision;
  end if;
  shown :=
    shown_json(shown_ids, shown_company_ids, shown_names, revisions, lacking, p_hostnames);
end $$;
