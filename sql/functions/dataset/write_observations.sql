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
      where md5(w.source_uri) = md5(e.source_uri)
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
