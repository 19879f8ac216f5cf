-- Returns the company of each record in p_records whose position is in p_places. Stores the
-- records' statements about companies (identifiers, names, hostnames). Only record_observations
-- calls this, after it has locked the dataset's clock.
--
-- The company of a record (docs/companies.md) is the first in this list that exists:
-- - the company with the same source and external id;
-- - a company with one of the record's identifiers of a register, whatever its source;
-- - a company with one of the record's hostnames, unless this source knows it by another external
--   id;
-- - the company with the same source, normalized name and country, unless this source knows it by
--   another external id, it has another legal form, or the record has hostnames and the company has
--   another one;
-- - a new company.
-- If several companies fit, the oldest is chosen; by name, one with exactly this legal form. A
-- company with another identifier of the same register does not fit, unless the external id leads to
-- it. In that case, the contradicting identifier is not stored.
--
-- A company of another source that fits by name, place and kind of business is merged with the
-- company of the record (join_stated). Such a join is undone if a later record tells two of the
-- companies apart.
--
-- If a record's identifiers show that several companies are one, these companies are merged
-- (join_companies). A company that was returned for an earlier record may be among them. The caller
-- then moves its observations (follow_merges).
--
-- A company has a hostname or an identifier while one of its observations gives it, even if that
-- observation is not shown. An expired observation still counts. A revision releases a hostname or
-- identifier that it no longer gives. p_ids are the observations that the records at p_places
-- revise, or null for a new record.
--
-- A mention is what one or more records state about one company (company_mentions). A mention that
-- states nothing new is `settled` and needs no further step. The other mentions may depend on each
-- other, as with two records of one new company. They are processed one by one in the order of the
-- records, so that one batch has the same result as several. Each mention has three steps.
-- identify_company finds or creates its company, join_mentioned merges the company with others, and
-- keep_mentioned stores the mention's statements.
create or replace function record_companies(
  p_records jsonb,
  p_places bigint[],
  p_ids bigint[],
  p_change_seq bigint,
  out places bigint[],
  out company_id bigint
) returns setof record language plpgsql as $$
declare
  mention record;
  identified record;
  joined record;
  -- Companies that the records so far have renamed, and those that they have merged or split.
  renamed bigint[] := '{}';
  merged bigint[] := '{}';
  -- Pairs company/hostname and company/identifier that the records so far give, and the
  -- observations that these records revise. The earlier statements of those observations no longer
  -- count.
  supported text[] := '{}';
  revised bigint[] := '{}';
  -- Hostnames and names that earlier records of the batch have stored. company_mentions did not
  -- know them, so a settled mention with one of them is looked up again.
  introduced text[] := '{}';
  -- Observations of p_ids with identifiers, and whether an identifier was released.
  identifying bigint[] := array(
    select o.id from observations o where o.id = any(p_ids) and o.company_identifiers is not null
  );
  released boolean := false;
  -- Statements for joins with names that no other mention or row has. No company can be joined by
  -- these names yet, so one SQL statement stores them all after the loop.
  alone_sources integer[] := '{}';
  alone_external_ids text[] := '{}';
  alone_joinings jsonb[] := '{}';
begin
  for mention in
    with mentions as materialized (
      select * from company_mentions(p_records, p_places, p_ids)
    ), stated as (
      select m.places[1] as place, n.name, count(*) over (partition by n.name) as mentioned
      from mentions m
      cross join lateral jsonb_to_recordset(m.joining -> 'names') n (name text)
      where m.external_id is not null
    ), shared as (
      select s.place from stated s
      where s.mentioned > 1
        or exists (select from company_join_names k where k.join_name = s.name)
    )
    select
      m.*,
      s.place is not null as shares_name,
      m.hostnames || (m.source_id || '/' || m.normalized_name) as keys
    from mentions m
    left join (select distinct place from shared) s on s.place = m.places[1]
    order by m.places[1]
  loop
    places := mention.places;
    company_id := mention.company_id;
    if mention.ids && identifying then
      released := release_identifiers(mention.ids, mention.identifiers, supported, revised)
        or released;
    end if;
    -- An earlier record of the batch may have removed the rows by which this mention is settled, or
    -- moved them to another company.
    if not mention.settled or released or mention.company_id = any(renamed || merged)
      or (mention.external_id is null and (
        merged <> '{}' or (revised <> '{}' and mention.hostnames <> '{}')
        or introduced && mention.keys
      ))
    then
      identified := identify_company(
        mention.source_id, mention.external_id, mention.name, mention.normalized_name,
        mention.legal_form, mention.country, mention.hostnames, mention.identifiers,
        supported, revised, mention.ids
      );
      renamed := renamed || identified.renamed;
      joined := join_mentioned(
        identified.company_id, identified.holders, mention.source_id, mention.external_id,
        mention.identifiers, case when mention.shares_name then mention.joining end
      );
      company_id := joined.company_id;
      merged := merged || identified.apart || joined.apart || joined.gone;
      supported := supported || array(
        select company_id || '/' || split_part(s, '/', 2) from unnest(supported) s
        where split_part(s, '/', 1)::bigint = any(joined.gone)
      );
      if not mention.shares_name and mention.external_id is not null and mention.joining is not null
      then
        alone_sources := alone_sources || mention.source_id;
        alone_external_ids := alone_external_ids || mention.external_id;
        alone_joinings := alone_joinings || mention.joining;
      end if;
      perform keep_mentioned(
        company_id, mention.source_id, mention.external_id, mention.normalized_name,
        mention.legal_form, mention.country, mention.hostnames, mention.identifiers
      );
      introduced := introduced || mention.keys;
    end if;
    supported := supported
      || array(select company_id || '/' || g from unnest(mention.hostnames || mention.identifiers) g);
    revised := revised || mention.ids;
    if mention.ids <> '{}' then
      -- The revised observations move at once, so that a merge by a later record includes them.
      -- They are recorded again, because they did not support the hostnames of their new company
      -- before.
      update observations o set
        company_id = record_companies.company_id, recorded_at = clock.recorded_at
      from dataset_clock clock
      where o.id = any(mention.ids) and o.company_id <> record_companies.company_id;
    end if;
    return next;
  end loop;
  perform keep_joinings(alone_sources, alone_external_ids, alone_joinings);

  -- Searches find companies by their names, so indexes must read these observations again.
  if renamed <> '{}' then
    update observations o set change_seq = p_change_seq where o.company_id = any(renamed);
  end if;
end $$;

-- Returns the company that a mention names, which is a stored one or a new one. Stores the external
-- id and its name.
--
--   p_ids    the observations that the mention revises
--   holders  companies with one of the identifiers
--   renamed  the company, if its source gives it another name now; otherwise an empty list
--   apart    companies that are separate again, because identifiers contradict their join by name
create or replace function identify_company(
  p_source_id integer,
  p_external_id text,
  p_name text,
  p_normalized_name text,
  p_legal_form text,
  p_country text,
  p_hostnames text[],
  p_identifiers text[],
  p_supported text[],
  p_revised bigint[],
  p_ids bigint[],
  out company_id bigint,
  out holders bigint[],
  out renamed bigint[],
  out apart bigint[]
) language plpgsql as $$
declare
  last_name text;
begin
  holders := companies_of_identifiers(p_identifiers);
  renamed := '{}';
  apart := '{}';
  if p_external_id is not null then
    select x.company_id, x.name into company_id, last_name from company_external_ids x
    where x.source_id = p_source_id and x.external_id = p_external_id;
    if last_name <> p_name then
      update company_external_ids x set name = p_name
      where x.source_id = p_source_id and x.external_id = p_external_id;
      -- The name of a company that was merged into another does not rename the other.
      if not came_by_merge(company_id, 'external_ids', jsonb_build_object(
        'source_id', p_source_id, 'external_id', p_external_id
      )) then
        update companies c set name = p_name where c.id = company_id;
      end if;
      renamed := array[company_id];
    end if;
    -- An identifier that contradicts a join by name undoes the join.
    if company_id is not null and contradicts(company_id, p_identifiers) then
      apart := undo_joins_by_name(company_id);
      select x.company_id into company_id from company_external_ids x
      where x.source_id = p_source_id and x.external_id = p_external_id;
    end if;
  end if;
  if company_id is not null then return; end if;

  company_id := coalesce(
    holders[1],
    company_of_hostnames(
      p_source_id, p_external_id, p_identifiers, p_hostnames, p_supported, p_revised
    ),
    company_of_name(
      p_source_id, p_external_id, p_identifiers, p_normalized_name, p_legal_form, p_country,
      p_hostnames, p_supported, p_revised || p_ids
    )
  );
  if company_id is null then
    insert into companies (name) values (p_name) returning id into company_id;
  end if;
  if p_external_id is not null then
    insert into company_external_ids values (p_source_id, p_external_id, company_id, p_name);
  end if;
end $$;

-- Merges a mentioned company with those that are the same by its identifiers, or by its statements
-- for joins by name.
--
--   p_holders   the companies with one of the identifiers
--   p_joining   the statements; null if no other mention or row has one of their names
--   company_id  the company that is kept
--   gone        companies that were merged into another
--   apart       companies that were split because a statement of the mention tells them apart
create or replace function join_mentioned(
  p_company_id bigint,
  p_holders bigint[],
  p_source_id integer,
  p_external_id text,
  p_identifiers text[],
  p_joining jsonb,
  out company_id bigint,
  out gone bigint[],
  out apart bigint[]
) language plpgsql as $$
declare
  by_name record;
  concerned bigint[] := p_holders || p_company_id;
begin
  company_id := p_company_id;
  gone := '{}';
  apart := '{}';
  if p_holders <> '{}' and p_holders <> array[company_id] then
    company_id := join_companies(company_id, p_holders, p_identifiers, p_source_id);
  end if;
  if p_joining is not null then
    by_name := join_stated(company_id, p_source_id, p_external_id, p_identifiers, p_joining);
    company_id := by_name.joined_id;
    concerned := concerned || by_name.gone;
    apart := by_name.apart;
  end if;
  if cardinality(concerned) > 1 then
    gone := array(
      select c.id from companies c where c.id = any(concerned) and c.merged_into is not null
    );
  end if;
end $$;

-- Stores the statements of a mention about its company: identifiers, name and hostnames.
create or replace function keep_mentioned(
  p_company_id bigint,
  p_source_id integer,
  p_external_id text,
  p_normalized_name text,
  p_legal_form text,
  p_country text,
  p_hostnames text[],
  p_identifiers text[]
) returns void language plpgsql as $$
begin
  if p_identifiers <> '{}' then
    insert into company_identifiers
    select split_part(i, ':', 1), split_part(i, ':', 2), p_company_id, p_source_id, p_external_id
    from unnest(p_identifiers) i
    on conflict do nothing;
  end if;
  insert into company_names (source_id, normalized_name, legal_form, country, company_id)
  values (p_source_id, p_normalized_name, p_legal_form, p_country, p_company_id)
  on conflict do nothing;
  if p_hostnames <> '{}' then
    insert into domains (hostname)
    select h from unnest(p_hostnames) h
    where not exists (select from domains d where d.hostname = h);
    insert into company_domains (domain_id, company_id)
    select d.id, p_company_id from domains d where d.hostname = any(p_hostnames)
    on conflict do nothing;
  end if;
end $$;

-- Removes from companies the identifiers that their revised observations p_ids no longer give,
-- unless other observations still give them. p_identifiers are the identifiers that the revised
-- observations give now. p_given and p_revised are `supported` and `revised` of record_companies.
-- Returns whether any were removed.
create or replace function release_identifiers(
  p_ids bigint[],
  p_identifiers text[],
  p_given text[],
  p_revised bigint[]
) returns boolean language plpgsql as $$
begin
  delete from company_identifiers i
  using observations o, unnest(o.company_identifiers) former
  where o.id = any(p_ids)
    and former <> all(p_identifiers)
    and i.company_id = o.company_id and i.scheme || ':' || i.value = former
    and o.company_id || '/' || former <> all(p_given)
    and not exists (
      select from observations remaining
      where remaining.company_id = o.company_id and remaining.id <> all(p_ids || p_revised)
        and former = any(remaining.company_identifiers)
    );
  return found;
end $$;
