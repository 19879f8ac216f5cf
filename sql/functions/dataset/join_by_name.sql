-- Functions that join the companies of several sources that agree in name, place and kind of
-- business. The argument `joining` contains what a record states about its company for such joins:
-- {names: [{name, form, is_current, is_ordinary}], places, sectors, likely_sectors}.
-- src/ingest/record/company_joining.ts computes it. Only the scripts of record_companies,
-- find_company and record_observations call these.

-- Returns whether all statements of a record for joins are stored for its company's external id.
-- Also returns true if the record has no statements or no external id. A company without an
-- external id is never joined by name: after a split, its later records could not be assigned to it
-- again.
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

-- Stores the statements of a record for joins. Places and sectors accumulate, so the order of
-- records does not matter. If a name occurs with and without a legal form, the form is kept.
-- Returns whether another external id has one of the names. The caller compares companies only in
-- this rare case.
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

-- Stores statements for joins with new names, one per element of the arrays. Each name occurs only
-- once in all statements. No companies are compared, because no stored company has such a name.
create or replace function keep_joinings(
  p_source_ids integer[],
  p_external_ids text[],
  p_joinings jsonb[]
) returns void language sql as $$
  insert into company_join_names
  select
    n.name, j.source_id, j.external_id, n.form, n.is_current, n.is_ordinary,
    s.places, s.sectors, s.likely_sectors
  from unnest(p_source_ids, p_external_ids, p_joinings) j (source_id, external_id, joining)
  cross join lateral jsonb_to_record(j.joining)
    s (names jsonb, places text[], sectors text[], likely_sectors text[])
  cross join lateral jsonb_to_recordset(s.names)
    n (name text, form text, is_current boolean, is_ordinary boolean)
$$;

-- Returns the union of two arrays, sorted. It has at most 200 members, so that a row stays small.
create or replace function united(p_one text[], p_other text[])
returns text[] language sql immutable as $$
  select array(select unnest(p_one) union select unnest(p_other) order by 1 limit 200)
$$;


-- Stores a record's statements for joins, and joins its company with those that are the same by
-- name. p_company_id is the company of the external id. Companies that fit each other, directly or
-- through further companies, form a group. If nothing tells two companies of the group apart, all
-- of them are joined. Otherwise none are joined, and earlier joins by name in the group are undone.
-- Thus the order of records does not matter.
--
--   joined_id  the company of the external id after the joins
--   gone       companies that were merged into another
--   apart      companies that were split again
create or replace function join_stated(
  p_company_id bigint,
  p_source_id integer,
  p_external_id text,
  p_identifiers text[],
  p_joining jsonb,
  out joined_id bigint,
  out gone bigint[],
  out apart bigint[]
) language plpgsql as $$
declare
  fitting bigint[];
  mate bigint;
begin
  joined_id := p_company_id;
  gone := '{}';
  apart := '{}';
  if p_external_id is null or p_joining is null
    or not keep_joining(p_source_id, p_external_id, p_joining)
  then
    return;
  end if;
  fitting := companies_by_name(p_company_id);
  if cardinality(fitting) = 1 then
    return;
  end if;
  if are_one_by_name(fitting, p_company_id, p_identifiers) then
    gone := fitting[2:];
    foreach mate in array gone loop
      joined_id := join_by_name(fitting[1], mate, p_joining, p_source_id);
    end loop;
  else
    foreach mate in array fitting loop
      apart := apart || undo_joins_by_name(mate);
    end loop;
    select x.company_id into joined_id from company_external_ids x
    where x.source_id = p_source_id and x.external_id = p_external_id;
  end if;
end $$;

-- Returns pairs of statements with the same name: one of the company, and one of another company.
-- "offset 0" limits the plan to one index lookup per step, whatever the sizes of the tables.
create or replace function namesakes(
  p_company_id bigint,
  out statement company_join_names,
  out namesake company_join_names,
  out namesake_id bigint
) returns setof record language sql stable as $$
  select m.statement, k.namesake, y.company_id
  from (
    select x.source_id, x.external_id from company_external_ids x
    where x.company_id = p_company_id
    offset 0
  ) x
  cross join lateral (
    select m as statement, m.join_name from company_join_names m
    where m.source_id = x.source_id and m.external_id = x.external_id
    offset 0
  ) m
  cross join lateral (
    select k as namesake, k.source_id, k.external_id from company_join_names k
    where k.join_name = m.join_name
    offset 0
  ) k
  cross join lateral (
    select y.company_id from company_external_ids y
    where y.source_id = k.source_id and y.external_id = k.external_id
    offset 0
  ) y
  where y.company_id <> p_company_id
$$;

-- Returns a company and all that fit it by name, directly or through further companies, the oldest
-- first.
create or replace function companies_by_name(p_company_id bigint)
returns bigint[] language plpgsql stable as $$
begin
  return array(
    with recursive fitting (company_id) as (
      select p_company_id
      union
      select n.namesake_id
      from fitting f
      cross join lateral namesakes(f.company_id) n
      where name_fits(n.statement, n.namesake)
    )
    select f.company_id from fitting f order by 1
  );
end $$;

-- Returns whether no two of the companies p_fitting differ. They differ if one source knows both,
-- if their legal forms, kinds of business or identifiers differ, or if a merge of the two was
-- undone. p_identifiers are the identifiers that a record gives p_company_id now.
create or replace function are_one_by_name(
  p_fitting bigint[],
  p_company_id bigint,
  p_identifiers text[]
) returns boolean language plpgsql stable as $$
begin
  if exists (
    select from company_external_ids x
    where x.company_id = any(p_fitting)
    group by x.source_id
    having count(distinct x.company_id) > 1
  ) then
    return false;
  end if;
  return not exists (
    select from unnest(p_fitting) f (id)
    where f.id <> p_company_id and contradicts(f.id, p_identifiers)
  ) and not exists (
    select from unnest(p_fitting) f (id)
    cross join lateral namesakes(f.id) n
    where n.namesake_id = any(p_fitting) and differs(n.statement, n.namesake)
  ) and not exists (
    select from unnest(p_fitting) f (id)
    join unnest(p_fitting) g (id) on f.id < g.id
    where stay_apart(f.id, g.id)
  );
end $$;

-- Joins the companies of records with unchanged content, if their statements for joins are not
-- stored. Such records were recorded before companies were joined, or their statements are now
-- computed differently. For any other record, one lookup by the primary key suffices. p_seen are
-- the observations of the records. Only record_observations calls this, while it locks the clock.
create or replace function join_unchanged(p_records jsonb, p_seen bigint[])
returns void language plpgsql as $$
declare
  stated record;
begin
  for stated in
    select distinct on (s.id, r.company_external_id, r.joining)
      s.id as source_id, r.company_external_id, r.joining,
      coalesce(r.company_identifiers, '{}') as identifiers
    from jsonb_to_recordset(p_records) r (
      source text, external_id text, company_external_id text, company_identifiers text[],
      joining jsonb
    )
    join sources s on s.name = r.source
    cross join lateral (
      select o.id from observations o
      where o.source_id = s.id and o.external_id = r.external_id
      offset 0
    ) o
    where jsonb_typeof(r.joining) = 'object' and o.id = any(p_seen)
      and not exists (
        select from company_join_names k
        where k.join_name = r.joining #>> '{names,0,name}'
          and k.source_id = s.id and k.external_id = r.company_external_id
      )
  loop
    perform join_stated(
      x.company_id, stated.source_id, stated.company_external_id, stated.identifiers,
      stated.joining
    )
    from company_external_ids x
    where x.source_id = stated.source_id and x.external_id = stated.company_external_id;
  end loop;
end $$;

-- Returns whether two statements with the same name mean one company. A name that is no longer
-- current for either company does not count. An ordinary name, of short or common words only,
-- requires a shared city and a shared kind of business. A rare name requires a shared region. If
-- one statement has only the country, a rare name of six letters or more requires a shared kind of
-- business instead.
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

-- Returns whether two statements have a common sector.
create or replace function share_business(m company_join_names, k company_join_names)
returns boolean language sql immutable as $$
  select (m.sectors || m.likely_sectors) && (k.sectors || k.likely_sectors)
$$;

-- Returns whether two statements with the same name differ in legal form or kind of business.
create or replace function differs(m company_join_names, k company_join_names)
returns boolean language sql immutable as $$
  select (m.legal_form <> '' and k.legal_form <> '' and m.legal_form <> k.legal_form)
    or (m.sectors <> '{}' and k.sectors <> '{}' and not m.sectors && k.sectors)
$$;

-- Merges two companies that are one by name, and returns the older one, which is kept.
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

-- Undoes all joins by name of a company, and those of the companies that are thereby split off.
-- Returns the companies that are separate again.
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
    apart := apart || merge.merged_id || p_company_id || undo_joins_by_name(merge.merged_id);
  end loop;
  return apart;
end $$;
