-- Companies that two sources know by one name, in one place and trade. `joining` is {names: [{name,
-- form, is_current, is_ordinary}], places, sectors, likely_sectors}, computed in
-- src/ingest/company_joining.ts. Only record_companies and company_mentions call these functions.

-- Returns whether all that a record states for joins is stored for the source's identifier. True where
-- it states nothing, or has no identifier: a split could not give its later records back.
create or replace function knows_joining(p_source_id integer, p_external_id text, p_joining jsonb)
returns boolean language plpgsql stable as $$
declare
  stated company_join_names;
begin
  if p_joining is null or p_external_id is null then
    return true;
  end if;
  stated.places := array(select jsonb_array_elements_text(p_joining -> 'places'));
  stated.sectors := array(select jsonb_array_elements_text(p_joining -> 'sectors'));
  stated.likely_sectors := array(select jsonb_array_elements_text(p_joining -> 'likely_sectors'));
  return not exists (
    select from jsonb_to_recordset(p_joining -> 'names')
      m (name text, form text, is_current boolean)
    where not exists (
      select from company_join_names k
      where k.join_name = m.name and k.source_id = p_source_id and k.external_id = p_external_id
        and (k.legal_form = m.form or m.form = '') and (k.is_current or not m.is_current)
        and k.places @> stated.places and k.sectors @> stated.sectors
        and k.likely_sectors @> stated.likely_sectors
    )
  );
end $$;

-- Stores what a record states for joins. Places and sectors add up, so the order of records does not
-- matter; of a name that comes with and without a legal form, the form is kept. Returns whether
-- another identifier has one of the names: few have, and only then is a mate looked for.
create or replace function keep_joining(p_source_id integer, p_external_id text, p_joining jsonb)
returns boolean language plpgsql as $$
declare
  stated record;
  places text[] := array(select jsonb_array_elements_text(p_joining -> 'places'));
  sectors text[] := array(select jsonb_array_elements_text(p_joining -> 'sectors'));
  likely text[] := array(select jsonb_array_elements_text(p_joining -> 'likely_sectors'));
  shared boolean := false;
begin
  for stated in
    select * from jsonb_to_recordset(p_joining -> 'names')
      m (name text, form text, is_current boolean, is_ordinary boolean)
  loop
    insert into company_join_names as k
    values (
      stated.name, p_source_id, p_external_id, stated.form, stated.is_current, stated.is_ordinary,
      places, sectors, likely
    )
    on conflict (join_name, source_id, external_id) do update set
      legal_form = coalesce(nullif(excluded.legal_form, ''), k.legal_form),
      is_current = k.is_current or excluded.is_current,
      is_ordinary = k.is_ordinary or excluded.is_ordinary,
      places = united(k.places, excluded.places),
      sectors = united(k.sectors, excluded.sectors),
      likely_sectors = united(k.likely_sectors, excluded.likely_sectors);
    shared := shared or exists (
      select from company_join_names k
      where k.join_name = stated.name
        and (k.source_id <> p_source_id or k.external_id <> p_external_id)
    );
  end loop;
  return shared;
end $$;

-- The members of both, in order. At most 200, so that a row stays small.
create or replace function united(p_one text[], p_other text[])
returns text[] language sql immutable as $$
  select array(select unnest(p_one) union select unnest(p_other) order by 1 limit 200)
$$;

-- Returns the company of another source that a company is by name, or null. There is none where two
-- fit, where one source knows both, or where anything tells them apart.
create or replace function name_mate(
  p_company_id bigint,
  p_source_id integer,
  p_external_id text,
  p_identifiers text[],
  p_joining jsonb
) returns bigint language plpgsql stable as $$
declare
  mates bigint[];
begin
  select array_agg(distinct x.company_id) into mates
  from company_join_names m
  join company_join_names k on k.join_name = m.join_name
  join company_external_ids x on x.source_id = k.source_id and x.external_id = k.external_id
  where m.source_id = p_source_id and m.external_id = p_external_id
    and m.join_name in (select n ->> 'name' from jsonb_array_elements(p_joining -> 'names') n)
    and x.company_id <> p_company_id and name_fits(m, k);
  if cardinality(mates) is distinct from 1
    or contradicts(mates[1], p_identifiers)
    or stay_apart(p_company_id, mates[1])
    or exists (
      select from company_external_ids x
      join company_external_ids y on y.source_id = x.source_id
      where x.company_id = p_company_id and y.company_id = mates[1]
    )
    or exists (
      select from company_external_ids x
      join company_join_names m using (source_id, external_id)
      join company_join_names k on k.join_name = m.join_name
      join company_external_ids y on y.source_id = k.source_id and y.external_id = k.external_id
      where x.company_id = p_company_id and y.company_id = mates[1] and differs(m, k)
    )
  then
    return null;
  end if;
  return mates[1];
end $$;

-- Returns whether two statements of one name mean one company. A name that both had before is none of
-- theirs now. An ordinary name needs a common city and a common kind of business, a rare one a common
-- region. Where a source states no region, a rare and long name needs a common kind of business.
create or replace function name_fits(m company_join_names, k company_join_names)
returns boolean language sql immutable as $$
  select (m.is_current or k.is_current)
    and not differs(m, k)
    and case
      when m.is_ordinary or k.is_ordinary
        then share_business(m, k)
          and exists (select from unnest(m.places) p where p = any(k.places) and p like '%/%')
      when exists (select from unnest(m.places) p where p = any(k.places) and p like '%-%')
        then true
      else length(m.join_name) >= 6 and share_business(m, k) and (
        exists (select from unnest(k.places) p where array[left(p, 2)] = m.places)
        or exists (select from unnest(m.places) p where array[left(p, 2)] = k.places)
      )
    end
$$;

create or replace function share_business(m company_join_names, k company_join_names)
returns boolean language sql immutable as $$
  select (m.sectors || m.likely_sectors) && (k.sectors || k.likely_sectors)
$$;

-- Returns whether two statements of one name differ in legal form or kind of business.
create or replace function differs(m company_join_names, k company_join_names)
returns boolean language sql immutable as $$
  select (m.legal_form <> '' and k.legal_form <> '' and m.legal_form <> k.legal_form)
    or (m.sectors <> '{}' and k.sectors <> '{}' and not m.sectors && k.sectors)
$$;

-- Merges two companies that are one by name and returns the one that is kept, the oldest.
create or replace function join_by_name(
  p_company_id bigint,
  p_mate_id bigint,
  p_joining jsonb,
  p_source_id integer
) returns bigint language plpgsql as $$
declare
  merge_id bigint := move_company(
    least(p_company_id, p_mate_id),
    greatest(p_company_id, p_mate_id),
    left(format(
      'name and region agree: %s, %s',
      p_joining -> 'names' -> 0 ->> 'name', p_joining -> 'places' ->> 0
    ), 500),
    p_source_id
  );
begin
  update company_merges m set by_name = true where m.id = merge_id;
  return least(p_company_id, p_mate_id);
end $$;

-- Undoes all joins by name of a company and returns the companies that are apart again. A join that
-- was merged further is left.
create or replace function undo_joins_by_name(p_company_id bigint)
returns bigint[] language plpgsql as $$
declare
  merge company_merges;
  apart bigint[] := '{}';
begin
  for merge in
    select * from company_merges m
    where m.kept_id = p_company_id and m.by_name and m.undone_at is null
    order by m.id desc
  loop
    perform undo_merge(merge);
    apart := apart || merge.merged_id || p_company_id;
  end loop;
  return apart;
end $$;
