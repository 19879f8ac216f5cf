-- The company of each record among p_records whose place is in p_places; what the records say about
-- companies (identifiers, names, hostnames) is written down. Only record_observations calls this,
-- with the dataset clock held.
--
-- A record's company is (design section 4) the one of the same source and external identifier; else
-- one that holds a given identifier of a register, whatever its source; else one that holds a given
-- hostname, unless this source knows it by another external identifier; else the one of the same
-- source, normalized name and country, under the same proviso and without another legal form; else a
-- new one. Where several fit, the
-- oldest is taken. A company with another identifier of the same register is not meant, unless the
-- source's own identifier says so: then what contradicts is not kept.
--
-- A company of another source that has the same rare name, place and kind of business is merged with
-- it (join_stated). Such a join is undone if a later record tells two of the companies apart.
--
-- Two companies that one record's identifiers say are one are merged (join_companies). What the loop
-- has answered before may then have been merged: the caller has observations follow (follow_merges).
--
-- A company holds a hostname or an identifier while one of its observations gives it, shown or not:
-- one that expires does not split a company, one that is corrected lets it go. p_ids are the
-- observations that the records at p_places revise, or null where a record is new.
--
-- Mentions that say nothing new are settled at once (company_mentions). The others may depend on one
-- another (two records of one new company), so they are taken one by one in the order of the records:
-- one batch comes out as many do.
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
  last_name text;
  holders bigint[];
  gone bigint[];
  named record;
  renamed bigint[] := '{}';
  merged bigint[] := '{}';
  -- What the records so far have changed: company/hostname and company/identifier that they give,
  -- observations that they revise, whose old ones count no more.
  given text[] := '{}';
  revised bigint[] := '{}';
  -- Hostnames and names that were given anew: who is meant by them may be another company since.
  told text[] := '{}';
  -- Of p_ids those that have given identifiers, and whether one was let go.
  identifying bigint[] := array(
    select o.id from observations o where o.id = any(p_ids) and o.company_identifiers is not null
  );
  released boolean := false;
  -- Statements under names that no other mention or row has. Nobody can be joined by them yet, so
  -- they are stored in one statement after the loop.
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
    select m.*, s.place is not null as shares_name
    from mentions m
    left join (select distinct place from shared) s on s.place = m.places[1]
    order by m.places[1]
  loop
    places := mention.places;
    company_id := mention.company_id;
    if mention.ids && identifying then
      released := release_identifiers(mention.ids, mention.identifiers, given, revised) or released;
    end if;
    -- What came before may have taken away, or given to another, what settled it.
    if not mention.settled or released or mention.company_id = any(renamed || merged)
      or (mention.external_id is null and (
        merged <> '{}' or (revised <> '{}' and mention.hostnames <> '{}')
        or told && (mention.hostnames || (mention.source_id || '/' || mention.normalized_name))
      ))
    then
      company_id := null;
      holders := companies_of_identifiers(mention.identifiers);
      if mention.external_id is not null then
        select x.company_id, x.name into company_id, last_name from company_external_ids x
        where x.source_id = mention.source_id and x.external_id = mention.external_id;
        if last_name <> mention.name then
          update company_external_ids x set name = mention.name
          where x.source_id = mention.source_id and x.external_id = mention.external_id;
          -- What a company was merged with does not rename it.
          if not came_by_merge(company_id, 'external_ids', jsonb_build_object(
            'source_id', mention.source_id, 'external_id', mention.external_id
          )) then
            update companies c set name = mention.name where c.id = company_id;
          end if;
          renamed := renamed || company_id;
        end if;
        -- An identifier that contradicts a join by name undoes it.
        if company_id is not null and contradicts(company_id, mention.identifiers) then
          merged := merged || undo_joins_by_name(company_id);
          select x.company_id into company_id from company_external_ids x
          where x.source_id = mention.source_id and x.external_id = mention.external_id;
        end if;
      end if;

      if company_id is null then
        company_id := coalesce(
          holders[1],
          company_of_hostnames(
            mention.source_id, mention.external_id, mention.identifiers, mention.hostnames,
            given, revised
          ),
          company_of_name(
            mention.source_id, mention.external_id, mention.identifiers, mention.normalized_name,
            mention.legal_form, mention.country
          )
        );
        if company_id is null then
          insert into companies (name) values (mention.name) returning id into company_id;
        end if;
        if mention.external_id is not null then
          insert into company_external_ids
          values (mention.source_id, mention.external_id, company_id, mention.name);
        end if;
      end if;

      gone := holders || company_id;
      if holders <> '{}' and holders <> array[company_id] then
        company_id := join_companies(company_id, holders, mention.identifiers, mention.source_id);
      end if;
      if mention.shares_name then
        named := join_stated(
          company_id, mention.source_id, mention.external_id, mention.identifiers, mention.joining
        );
        company_id := named.joined_id;
        gone := gone || named.gone;
        merged := merged || named.apart;
      elsif mention.external_id is not null and mention.joining is not null then
        alone_sources := alone_sources || mention.source_id;
        alone_external_ids := alone_external_ids || mention.external_id;
        alone_joinings := alone_joinings || mention.joining;
      end if;
      if cardinality(gone) > 1 then
        gone := array(
          select c.id from companies c where c.id = any(gone) and c.merged_into is not null
        );
        merged := merged || gone;
        given := given || array(
          select company_id || '/' || split_part(g, '/', 2) from unnest(given) g
          where split_part(g, '/', 1)::bigint = any(gone)
        );
      end if;

      if mention.identifiers <> '{}' then
        insert into company_identifiers
        select
          split_part(i, ':', 1), split_part(i, ':', 2), record_companies.company_id,
          mention.source_id, mention.external_id
        from unnest(mention.identifiers) i
        on conflict do nothing;
      end if;
      insert into company_names (source_id, normalized_name, legal_form, country, company_id)
      values (
        mention.source_id, mention.normalized_name, mention.legal_form, mention.country, company_id
      )
      on conflict do nothing;
      if mention.hostnames <> '{}' then
        insert into domains (hostname)
        select h from unnest(mention.hostnames) h
        where not exists (select from domains d where d.hostname = h);
        insert into company_domains (domain_id, company_id)
        select d.id, record_companies.company_id from domains d
        where d.hostname = any(mention.hostnames)
        on conflict do nothing;
      end if;
      told := told || mention.hostnames || (mention.source_id || '/' || mention.normalized_name);
    end if;
    given := given
      || array(select company_id || '/' || g from unnest(mention.hostnames || mention.identifiers) g);
    revised := revised || mention.ids;
    if mention.ids <> '{}' then
      -- A merge to come takes along what is its company's now, not what was. What is new to its
      -- company has not supported that company's hostnames before.
      update observations o set
        company_id = record_companies.company_id, recorded_at = clock.recorded_at
      from dataset_clock clock
      where o.id = any(mention.ids) and o.company_id <> record_companies.company_id;
    end if;
    return next;
  end loop;
  perform keep_joinings(alone_sources, alone_external_ids, alone_joinings);

  -- A new name is part of what searching finds, so followers must read these observations again.
  if renamed <> '{}' then
    update observations o set change_seq = p_change_seq where o.company_id = any(renamed);
  end if;
end $$;

-- Takes identifiers from the companies of observations that give them no more, unless others still
-- do. p_identifiers are those that the revised observations p_ids give now; p_given and p_revised as
-- in record_companies. Returns whether there were any.
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
      select from observations other
      where other.company_id = o.company_id and other.id <> all(p_ids || p_revised)
        and former = any(other.company_identifiers)
    );
  return found;
end $$;
