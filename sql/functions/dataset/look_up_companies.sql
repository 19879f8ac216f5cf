-- Looks up companies by id or by hostname in the present dataset, with one outcome per target.
-- Returns {entries: [{company_id, observation_ids}], lookups: [{id | hostname, status,
-- company_id}]}. A company with several of the hostnames is returned once.
create or replace function look_up_companies(p_ids bigint[], p_hostnames text[])
returns json language plpgsql stable set enable_seqscan = off as $$
declare
  target record;
  companies bigint[];
  found_ids bigint[] := '{}';
  lookups json[] := '{}';
begin
  for target in
    select t.id, null::text as hostname from unnest(p_ids) t (id)
    union all
    select null, t.hostname from unnest(p_hostnames) t (hostname)
  loop
    if target.id is not null then
      companies := array(
        select o.company_id from deliverable_observations o where o.company_id = target.id limit 1
      );
    else
      companies := array(
        select distinct d.company_id from deliverable_domains d
        where d.hostname = target.hostname limit 2
      );
    end if;
    lookups := lookups || json_strip_nulls(json_build_object(
      'id', target.id,
      'hostname', target.hostname,
      'status', case cardinality(companies)
        when 0 then 'not_found' when 1 then 'found' else 'ambiguous' end,
      'company_id', case when cardinality(companies) = 1 then companies[1] end
    ));
    if cardinality(companies) = 1 and companies[1] <> all(found_ids) then
      found_ids := found_ids || companies[1];
    end if;
  end loop;
  return json_build_object(
    'entries', (
      select coalesce(json_agg(json_build_object(
        'company_id', f.id, 'observation_ids', latest_observations(f.id)
      ) order by f.place), '[]')
      from unnest(found_ids) with ordinality f (id, place)
    ),
    'lookups', to_json(lookups)
  );
end $$;
