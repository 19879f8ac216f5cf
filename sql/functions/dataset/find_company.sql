-- Functions that find the company that a record means. An identifier is written `scheme:value`.

-- Returns whether a company has an identifier of the same scheme as one of p_identifiers, but with
-- another value.
create or replace function contradicts(p_company_id bigint, p_identifiers text[])
returns boolean language plpgsql stable as $$
begin
  return exists (
    select from unnest(p_identifiers) identifier
    join company_identifiers i
      on i.company_id = p_company_id and i.scheme = split_part(identifier, ':', 1)
    where i.value <> split_part(identifier, ':', 2)
  );
end $$;

-- Returns the companies that have one of the identifiers and contradict none, the oldest first.
create or replace function companies_of_identifiers(p_identifiers text[])
returns bigint[] language plpgsql stable as $$
begin
  if p_identifiers = '{}' then
    return '{}';
  end if;
  return array(
    select distinct i.company_id
    from unnest(p_identifiers) identifier
    join company_identifiers i
      on i.scheme = split_part(identifier, ':', 1) and i.value = split_part(identifier, ':', 2)
    where not contradicts(i.company_id, p_identifiers)
    order by 1
  );
end $$;

-- Returns the oldest company that has one of the hostnames and contradicts no identifier. Unless
-- p_external_id is null, the source must not know the company by another external id. A hostname of
-- a company counts only if an observation outside p_revised gives it, or if p_given contains it as
-- company/hostname.
create or replace function company_of_hostnames(
  p_source_id integer,
  p_external_id text,
  p_identifiers text[],
  p_hostnames text[],
  p_given text[],
  p_revised bigint[]
) returns bigint language plpgsql stable as $$
begin
  if p_hostnames = '{}' then
    return null;
  end if;
  return (
    select min(cd.company_id)
    from domains d
    join company_domains cd on cd.domain_id = d.id
    where d.hostname = any(p_hostnames) and cd.active
      and (cd.company_id || '/' || d.hostname = any(p_given) or exists (
        select from observation_domains od
        join observations o on o.id = od.observation_id
        where od.domain_id = d.id and o.company_id = cd.company_id and o.id <> all(p_revised)
      ))
      and (p_external_id is null or not exists (
        select from company_external_ids x
        where x.company_id = cd.company_id and x.source_id = p_source_id
          and x.external_id <> p_external_id
      ))
      and (p_identifiers = '{}' or not contradicts(cd.company_id, p_identifiers))
  );
end $$;

-- Returns whether a company has a hostname besides p_hostnames. A leading "www." makes no
-- difference. The hostnames of the company count like those of company_of_hostnames.
create or replace function has_other_hostname(
  p_company_id bigint,
  p_hostnames text[],
  p_given text[],
  p_revised bigint[]
) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from company_domains cd
    join domains d on d.id = cd.domain_id
    where cd.company_id = p_company_id
      and regexp_replace(d.hostname, '^www\.', '') <> all(array(
        select regexp_replace(h, '^www\.', '') from unnest(p_hostnames) h
      ))
      and (cd.company_id || '/' || d.hostname = any(p_given) or exists (
        select from observation_domains od
        join observations o on o.id = od.observation_id
        where od.domain_id = d.id and o.company_id = cd.company_id and o.id <> all(p_revised)
      ))
  );
end $$;

-- Returns the oldest company that a source has given a name in a country. The conditions of
-- p_external_id and p_identifiers are those of company_of_hostnames. A missing legal form fits any
-- form, and two different forms do not fit. A company with exactly this form is preferred to an
-- older one without it.
--
-- Unless p_hostnames is empty, a company with another hostname does not fit: anybody can write the
-- name of a company on a page of a hostname of their own. Its hostnames count like those of
-- company_of_hostnames. p_revised also has to contain the observations that the record revises,
-- because a record may correct a hostname.
create or replace function company_of_name(
  p_source_id integer,
  p_external_id text,
  p_identifiers text[],
  p_normalized_name text,
  p_legal_form text,
  p_country text,
  p_hostnames text[],
  p_given text[],
  p_revised bigint[]
) returns bigint language plpgsql stable as $$
begin
  return (
    select n.company_id
    from company_names n
    where n.source_id = p_source_id and n.normalized_name = p_normalized_name
      and n.country = p_country
      and (p_external_id is null or not exists (
        select from company_external_ids x
        where x.company_id = n.company_id and x.source_id = p_source_id
          and x.external_id <> p_external_id
      ))
      and (p_identifiers = '{}' or not contradicts(n.company_id, p_identifiers))
      and (p_hostnames = '{}' or not has_other_hostname(
        n.company_id, p_hostnames, p_given, p_revised
      ))
    group by 1
    having p_legal_form = '' or bool_or(n.legal_form = p_legal_form) or bool_and(n.legal_form = '')
    order by bool_or(n.legal_form = p_legal_form) desc, 1
    limit 1
  );
end $$;

-- Returns the company into which a company is merged at present, or the company itself.
create or replace function kept_company(p_company_id bigint)
returns bigint language plpgsql stable as $$
declare
  kept bigint := p_company_id;
  further bigint;
begin
  loop
    select c.merged_into into further from companies c where c.id = kept;
    if further is null then return kept; end if;
    kept := further;
  end loop;
end $$;

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
