-- The company of each record among p_records whose place is in p_places; what the records say about
-- companies (identifiers, names, hostnames) is written down. Only record_observations calls this,
-- with the dataset clock held.
--
-- A record's company is (design section 4) the one of the same source and company identifier; else
-- one that holds a given hostname, unless this source knows it by another identifier; else the one
-- of the same source, normalized name and country, under the same proviso; else a new one. Where
-- several fit, the oldest is taken.
--
-- A company holds a hostname while one of its observations gives it, shown or not: one that expires
-- does not split a company, one that is corrected lets the hostname go. p_ids are the observations
-- that the records at p_places revise, or null where a record is new.
--
-- Mentions that say nothing new are settled by one query. The others may depend on one another (two
-- records of one new company), so they are taken one by one in the order of the records.
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
  renamed bigint[] := '{}';
  -- What the records so far have changed: company/hostname that they give, observations that they
  -- revise, whose old hostnames count no more.
  given text[] := '{}';
  revised bigint[] := '{}';
begin
  for mention in
    with mentions as (
      select
        s.id as source_id,
        r.company_external_id as external_id,
        r.company_name as name,
        r.normalized_name,
        r.country,
        r.hostnames,
        array_agg(r.place order by r.place) as places,
        array_remove(array_agg(w.id), null) as ids
      from rows from (
        jsonb_to_recordset(p_records) as (
          source text,
          company_external_id text,
          company_name text,
          normalized_name text,
          country text,
          hostnames text[]
        )
      ) with ordinality
        r (source, company_external_id, company_name, normalized_name, country, hostnames, place)
      join sources s on s.name = r.source
      join unnest(p_places, p_ids) w (place, id) on w.place = r.place
      group by 1, 2, 3, 4, 5, 6
    )
    select m.*, known.company_id, coalesce(
      known.name_stands
      and exists (
        select from company_names n
        where n.source_id = m.source_id and n.normalized_name = m.normalized_name
          and n.country = m.country and n.company_id = known.company_id
      )
      and not exists (
        select from unnest(m.hostnames) h
        where not exists (
          select from domains d
          join company_domains cd on cd.domain_id = d.id
          where d.hostname = h and cd.company_id = known.company_id
        )
      ), false) as settled
    from mentions m
    left join lateral (
      select x.company_id, x.name = m.name as name_stands from company_external_ids x
      where x.source_id = m.source_id and x.external_id = m.external_id
      union all
      select coalesce(
        company_of_hostnames(m.source_id, null, m.hostnames, '{}', '{}'),
        company_of_name(m.source_id, null, m.normalized_name, m.country)
      ), true
      where m.external_id is null
    ) known on true
    order by m.places[1]
  loop
    places := mention.places;
    company_id := mention.company_id;
    -- A revision before this mention may have taken away the hostname that settled it.
    if not mention.settled or mention.company_id = any(renamed)
      or (revised <> '{}' and mention.external_id is null and mention.hostnames <> '{}')
    then
      company_id := null;
      if mention.external_id is not null then
        select x.company_id, x.name into company_id, last_name from company_external_ids x
        where x.source_id = mention.source_id and x.external_id = mention.external_id;
        if last_name <> mention.name then
          update company_external_ids x set name = mention.name
          where x.source_id = mention.source_id and x.external_id = mention.external_id;
          update companies c set name = mention.name where c.id = company_id;
          renamed := renamed || company_id;
        end if;
      end if;

      if company_id is null then
        company_id := coalesce(
          company_of_hostnames(
            mention.source_id, mention.external_id, mention.hostnames, given, revised
          ),
          company_of_name(
            mention.source_id, mention.external_id, mention.normalized_name, mention.country
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

      insert into company_names
      values (mention.source_id, mention.normalized_name, mention.country, company_id)
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
    end if;
    given := given || array(select company_id || '/' || h from unnest(mention.hostnames) h);
    revised := revised || mention.ids;
    return next;
  end loop;

  -- A new name is part of what searching finds, so followers must read these observations again.
  if renamed <> '{}' then
    update observations o set change_seq = p_change_seq where o.company_id = any(renamed);
  end if;
end $$;

-- The oldest company that holds one of the hostnames and that the source does not know by another
-- identifier than p_external_id. p_given (company/hostname) are held beside what is stored;
-- p_revised are observations whose stored hostnames do not count.
create or replace function company_of_hostnames(
  p_source_id integer,
  p_external_id text,
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
  );
end $$;

-- The same for the name that a source gave a company in a country.
create or replace function company_of_name(
  p_source_id integer,
  p_external_id text,
  p_normalized_name text,
  p_country text
) returns bigint language plpgsql stable as $$
begin
  return (
    select min(n.company_id)
    from company_names n
    where n.source_id = p_source_id and n.normalized_name = p_normalized_name
      and n.country = p_country and (p_external_id is null or not exists (
        select from company_external_ids x
        where x.company_id = n.company_id and x.source_id = p_source_id
          and x.external_id <> p_external_id
      ))
  );
end $$;
