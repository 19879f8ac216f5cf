-- Groups the records at p_places into mentions, and returns one row per mention. A mention is what
-- one or more records state about one company. New records that state the same share one mention,
-- if separate mentions would have the same result. Two records with the same external id get
-- separate mentions in two cases. A record between them gives another name, or a revision between
-- them may release an identifier that they state. Records without an external id share a mention
-- only if they are adjacent. ids are the observations that the records revise.
--
-- `settled` is true if the company in company_id is known and already has everything that the
-- mention states. A company has a hostname if one of its observations gives it. Only
-- record_companies calls this function.
--
-- A separate mention for each record would be simpler, but records of known companies would take
-- 1.4 to 2.2 times as long. Only batches in which each record is about a different new company
-- would be faster, by 5 %.
create or replace function company_mentions(p_records jsonb, p_places bigint[], p_ids bigint[])
returns table (
  source_id integer,
  external_id text,
  name text,
  normalized_name text,
  legal_form text,
  country text,
  hostnames text[],
  identifiers text[],
  joining jsonb,
  places bigint[],
  ids bigint[],
  company_id bigint,
  settled boolean
) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  with given_records as (
    select
      s.id as source_id,
      r.company_external_id as external_id,
      r.company_name as name,
      r.normalized_name,
      r.legal_form,
      r.country,
      r.hostnames,
      coalesce(r.company_identifiers, '{}') as identifiers,
      r.joining,
      r.place,
      w.id,
      r.company_name is distinct from lag(r.company_name) over same_company as renamed,
      row_number() over (order by r.place) - row_number() over (
        partition by s.id, r.company_external_id, r.company_name, r.normalized_name, r.legal_form,
          r.country, r.hostnames, r.company_identifiers, r.joining, w.id
        order by r.place
      ) as others_before
    from rows from (
      jsonb_to_recordset(p_records) as (
        source text,
        company_external_id text,
        company_name text,
        normalized_name text,
        legal_form text,
        country text,
        hostnames text[],
        company_identifiers text[],
        joining text
      )
    ) with ordinality r (
      source, company_external_id, company_name, normalized_name, legal_form, country, hostnames,
      company_identifiers, joining, place
    )
    join sources s on s.name = r.source
    join unnest(p_places, p_ids) w (place, id) on w.place = r.place
    window same_company as (partition by s.id, r.company_external_id order by r.place)
  ), named as (
    select
      g.*,
      count(*) filter (where g.renamed) over (
        partition by g.source_id, g.external_id order by g.place
      ) as naming,
      count(g.id) over (order by g.place) as revisions
    from given_records g
  ), mentions as (
    select
      n.source_id,
      n.external_id,
      n.name,
      n.normalized_name,
      n.legal_form,
      n.country,
      n.hostnames,
      n.identifiers,
      n.joining,
      array_agg(n.place order by n.place) as places,
      array_remove(array[n.id], null) as ids
    from named n
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, n.id,
      case when n.external_id is null then n.others_before else n.naming end,
      case when n.identifiers <> '{}' then n.revisions end
  )
  select
    m.source_id,
    m.external_id,
    m.name,
    m.normalized_name,
    m.legal_form,
    m.country,
    m.hostnames,
    m.identifiers,
    m.joining::jsonb,
    m.places,
    m.ids,
    known.company_id,
    coalesce(
    known.is_name_known
    and exists (
      select from company_names n
      where n.source_id = m.source_id and n.normalized_name = m.normalized_name
        and n.country = m.country and n.company_id = known.company_id
        and n.legal_form = m.legal_form
    )
    and not exists (
      select from unnest(m.hostnames) h
      where not exists (
        select from domains d
        join company_domains cd on cd.domain_id = d.id
        join observation_domains od on od.domain_id = d.id
        join observations o on o.id = od.observation_id and o.company_id = cd.company_id
        where d.hostname = h and cd.company_id = known.company_id
      )
    )
    and not exists (
      select from unnest(m.identifiers) identifier
      where not exists (
        select from company_identifiers i
        where i.scheme = split_part(identifier, ':', 1)
          and i.value = split_part(identifier, ':', 2)
          and i.company_id = known.company_id
      )
    )
    and case
      when known.is_name_known then knows_joining(m.source_id, m.external_id, m.joining::jsonb)
      else false
    end, false) as settled
  from mentions m
  left join lateral (
    select x.company_id, x.name = m.name as is_name_known from company_external_ids x
    where x.source_id = m.source_id and x.external_id = m.external_id
    union all
    select coalesce(
      (companies_of_identifiers(m.identifiers))[1],
      company_of_hostnames(m.source_id, null, m.identifiers, m.hostnames, '{}', '{}'),
      company_of_name(
        m.source_id, null, m.identifiers, m.normalized_name, m.legal_form, m.country,
        m.hostnames, '{}', '{}'
      )
    ), true
    where m.external_id is null
  ) known on true;
end $$;
