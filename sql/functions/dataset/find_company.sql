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
