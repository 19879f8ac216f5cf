-- Records a batch of observations. Returns the numbers of records: {recorded, revised, unchanged}.
-- A record is {source, external_id, content_hash, company_name, normalized_name, legal_form,
-- company_external_id, company_identifiers, hostnames, kind, observed_fact, why_it_may_matter,
-- demand_class, country, confidence, occurred_at, observed_at, expires_at, categories, texts,
-- facets, joining (join_stated), evidence:
-- [{source_uri, excerpt, occurred_at, observed_at}]}. The caller has checked and normalized it.
--
-- If a source record comes again with the same content, only last_seen_at changes. Its statements
-- for joins by name are still processed if they are not stored yet (join_unchanged). If the content
-- has changed, the observation keeps its id and its withdrawal. It is recorded again with new
-- evidence and hostnames. If an observation was gone from its source and comes back, it is also
-- recorded again, even with the same content. Callers that poll for new observations thus see it
-- again. If a batch contains a source record several times, each occurrence is counted as if it
-- came alone, and the last one is stored.
--
-- A session reuses the plans of one batch for the next ones, while the tables grow. Sequential
-- scans are therefore off, even if they suit the tables of the first batch. Generic plans are
-- forced, because otherwise each foreign key check of each row may be planned again, at four times
-- the cost.
create or replace function record_observations(p_records jsonb) returns json language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
  clock record;
  recorded integer;
  revised integer;
  unchanged integer;
  seen_ids bigint[];
  written_places bigint[];
  written_ids bigint[];
  company_ids bigint[];
  after timestamptz;
begin
  clock := advance_dataset_clock();

  insert into sources (name)
  select distinct r.source from jsonb_to_recordset(p_records) as r (source text)
  where not exists (select from sources s where s.name = r.source);

  with steps as (
    select
      r.place,
      o.id,
      r.content_hash,
      lag(
        r.content_hash,
        1,
        case when o.gone_at is null then encode(o.content_hash, 'hex') else '' end
      ) over same_record as before,
      lead(r.place) over same_record is null as last,
      s.id as source_id,
      r.external_id
    from rows from (
      jsonb_to_recordset(p_records) as (source text, external_id text, content_hash text)
    ) with ordinality r (source, external_id, content_hash, place)
    join sources s on s.name = r.source
    left join lateral (
      select e.id, e.content_hash, e.gone_at from observations e
      where e.source_id = s.id and e.external_id = r.external_id
      limit 1
    ) o on true
    window same_record as (partition by s.id, r.external_id order by r.place)
  ), judged as (
    select *,
      bool_or(before is distinct from content_hash) over (partition by source_id, external_id)
        as written
    from steps
  )
  select
    count(*) filter (where before is null),
    count(*) filter (where before <> content_hash),
    count(*) filter (where before = content_hash),
    coalesce(array_agg(id) filter (where last and not written), '{}'),
    coalesce(array_agg(place order by place) filter (where last and written), '{}'),
    coalesce(array_agg(id order by place) filter (where last and written), '{}')
  into recorded, revised, unchanged, seen_ids, written_places, written_ids
  from judged;

  if seen_ids <> '{}' then
    update observations set last_seen_at = clock.recorded_at where id = any(seen_ids);
    perform join_unchanged(p_records, seen_ids);
  end if;

  if written_places <> '{}' then
    select array_agg(mentioned.company_id order by mentioned.place) into company_ids
    from (
      select unnest(m.places) as place, m.company_id
      from record_companies(p_records, written_places, written_ids, clock.change_seq) m
    ) mentioned;
    perform relist_given(p_records, written_places, company_ids);
    after := take_moments(jsonb_array_length(p_records));
    perform write_observations(
      p_records, written_places, written_ids, company_ids, clock.change_seq, after
    );
    -- Later records of the batch may have merged companies of earlier ones.
    if exists (
      select from company_merges m where m.merged_id = any(company_ids) and m.undone_at is null
    ) then
      perform follow_merges(clock.recorded_at);
    end if;
    if exists (select from company_merges m where m.undone_at = clock.recorded_at) then
      perform follow_splits(clock.recorded_at);
    end if;
  end if;
  return json_build_object('recorded', recorded, 'revised', revised, 'unchanged', unchanged);
end $$;

-- Moves observations to the kept companies, if the batch that began at p_merged_at has merged the
-- companies for which they were written. The observations are added to the merges, so that they
-- return if a merge is undone.
create or replace function follow_merges(p_merged_at timestamptz)
returns void language plpgsql as $$
declare
  merge company_merges;
begin
  for merge in
    select * from company_merges m where m.merged_at >= p_merged_at order by m.id
  loop
    with moved as (
      update observations o set company_id = merge.kept_id
      where o.company_id = merge.merged_id
      returning o.id
    )
    update company_merges m set observation_ids = array(
      select unnest(merge.observation_ids) union select id from moved order by 1
    )
    where m.id = merge.id;
  end loop;
end $$;

-- A later record of the batch of p_undone_at may have split the company that was found for earlier
-- records. Moves the observations of these records to the company of their external company id.
-- Then assigns the hostnames to the two companies again (return_domains).
create or replace function follow_splits(p_undone_at timestamptz)
returns void language plpgsql as $$
declare
  merge company_merges;
begin
  for merge in
    select * from company_merges m where m.undone_at = p_undone_at order by m.id
  loop
    update observations o set company_id = x.company_id
    from company_external_ids x
    where o.company_id = merge.kept_id and o.company_external_id is not null
      and x.source_id = o.source_id and x.external_id = o.company_external_id
      and x.company_id <> o.company_id;
    perform return_domains(merge);
  end loop;
end $$;

-- Writes the records at p_places. p_ids and p_company_ids are parallel lists: the observation that
-- a record replaces, or null for a new one, and the record's company. The moment of a record is its
-- position in microseconds after p_recorded_at. Only record_observations calls this, under its
-- settings. The statement is executed as text, so that it is planned for the present sizes of the
-- tables.
create or replace function write_observations(
  p_records jsonb,
  p_places bigint[],
  p_ids bigint[],
  p_company_ids bigint[],
  p_change_seq bigint,
  p_recorded_at timestamptz
) returns void language plpgsql as $$
begin
  execute $statement$
  with incoming as materialized (
    select
      coalesce(w.id, nextval('observations_id_seq')) as id,
      w.id is null as is_new,
      s.id as source_id,
      w.company_id,
      decode(r.content_hash, 'hex') as hash,
      r.*
    from rows from (
      jsonb_to_recordset($1) as (
        source text,
        external_id text,
        company_external_id text,
        company_identifiers text[],
        content_hash text,
        hostnames text[],
        kind text,
        observed_fact text,
        why_it_may_matter text,
        demand_class text,
        country text,
        confidence double precision,
        occurred_at timestamptz,
        observed_at timestamptz,
        expires_at timestamptz,
        categories text[],
        texts text[],
        facets jsonb,
        evidence jsonb
      )
    ) with ordinality r (
      source, external_id, company_external_id, company_identifiers, content_hash, hostnames, kind,
      observed_fact, why_it_may_matter, demand_class, country, confidence, occurred_at, observed_at,
      expires_at, categories, texts, facets, evidence, place
    )
    join unnest($2, $3, $4) w (place, id, company_id) using (place)
    join sources s on s.name = r.source
    -- New ids ascend with positions, whatever the plan of the statement.
    order by place
  ), inserted as (
    insert into observations (
      id, source_id, external_id, company_id, company_external_id, company_identifiers, kind,
      observed_fact, why_it_may_matter, demand_class, country, confidence, occurred_at, observed_at,
      expires_at, categories, texts, facets, content_hash, recorded_at, change_seq
    )
    overriding system value
    select
      id, source_id, external_id, company_id, company_external_id, nullif(company_identifiers, '{}'),
      kind, observed_fact, why_it_may_matter, demand_class, country, confidence, occurred_at,
      observed_at, expires_at, categories, coalesce(texts, '{}'), coalesce(facets, '{}'), hash,
      $6 + place * interval '1 microsecond', $5
    from incoming
    where is_new
    order by place
  ), updated as (
    update observations o set
      company_id = i.company_id,
      company_external_id = i.company_external_id,
      company_identifiers = nullif(i.company_identifiers, '{}'),
      kind = i.kind,
      observed_fact = i.observed_fact,
      why_it_may_matter = i.why_it_may_matter,
      demand_class = i.demand_class,
      country = i.country,
      confidence = i.confidence,
      occurred_at = i.occurred_at,
      observed_at = i.observed_at,
      expires_at = i.expires_at,
      categories = i.categories,
      texts = coalesce(i.texts, '{}'),
      facets = coalesce(i.facets, '{}'),
      content_hash = i.hash,
      recorded_at = $6 + i.place * interval '1 microsecond',
      last_seen_at = null,
      gone_at = null,
      change_seq = $5
    from incoming i
    where o.id = i.id and not i.is_new
  ), unsupported as (
    delete from observation_domains od using incoming i
    where od.observation_id = i.id and not i.is_new and od.domain_id not in (
      select d.id from domains d where d.hostname = any(i.hostnames)
    )
  ), supported as (
    insert into observation_domains (observation_id, domain_id)
    select i.id, d.id
    from incoming i
    cross join lateral unnest(i.hostnames) h (hostname)
    join domains d on d.hostname = h.hostname
    on conflict do nothing
  ), replaced as (
    delete from evidence e using incoming i where e.observation_id = i.id and not i.is_new
  )
  insert into evidence
    (observation_id, source_uri, excerpt, occurred_at, observed_at, withdrawn_at)
  select
    i.id,
    e.source_uri,
    e.excerpt,
    e.occurred_at,
    e.observed_at,
    (
      select w.withdrawn_at from withdrawn_evidence_uris w
      where md5(uri_key(w.source_uri)) = md5(uri_key(e.source_uri))
    )
  from incoming i
  cross join lateral rows from (
    jsonb_to_recordset(i.evidence) as (
      source_uri text,
      excerpt text,
      occurred_at timestamptz,
      observed_at timestamptz
    )
  ) with ordinality e (source_uri, excerpt, occurred_at, observed_at, place)
  order by i.place, e.place
  $statement$ using p_records, p_places, p_ids, p_company_ids, p_change_seq, p_recorded_at;
end $$;
