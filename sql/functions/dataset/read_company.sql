-- Functions that read companies and single observations: lookups, which are metered, and unmetered
-- reads. An unmetered read also checks the caller, so that it is one statement.

-- Returns a company's three latest deliverable observations (specification 2, Company) as a list in
-- the form of shown_observations().
create or replace function read_company(
  p_key_hash bytea,
  p_company_id bigint,
  p_now timestamptz
) returns json language plpgsql stable as $$
declare
  at timestamptz := coalesce(p_now, now());
  refused text := refusal_of_key(p_key_hash, at);
  ids bigint[];
begin
  if refused is not null then return refusal(refused); end if;
  ids := latest_observations(p_company_id);
  if ids = '{}' then return refusal('company_not_found'); end if;
  return json_build_object(
    'outcome', 'found',
    'as_of', instant(at),
    'observations', shown_observations(ids, true)
  );
end $$;

-- Returns the ids of the deliverable observations that company reads and lookups show, in their
-- order. Their number is OBSERVATIONS_PER_COMPANY of src/contract/search.ts.
create or replace function latest_observations(p_company_id bigint)
returns bigint[] language plpgsql stable as $$
begin
  return array(
    select o.id
    from deliverable_observations o
    where o.company_id = p_company_id
    order by o.occurred_at desc nulls last, o.observed_at desc, o.id desc
    limit 3
  );
end $$;

-- Returns an observation with its company, in the form of shown_observations().
create or replace function read_observation(
  p_key_hash bytea,
  p_observation_id bigint,
  p_now timestamptz
) returns json language plpgsql stable as $$
declare
  refused text := refusal_of_key(p_key_hash, coalesce(p_now, now()));
  shown json;
begin
  if refused is not null then return refusal(refused); end if;
  shown := shown_observations(array[p_observation_id], false);
  if json_array_length(shown) = 0 then return refusal('observation_not_found'); end if;
  return json_build_object('outcome', 'found', 'observations', shown);
end $$;

-- Looks up companies by id or by hostname in the present dataset, with one outcome per target.
-- Returns {entries: [{company_id, observation_ids}], lookups: [{id | hostname, status,
-- company_id}]}. A company with several of the hostnames is returned once.
create or replace function look_up_companies(p_ids bigint[], p_hostnames text[])
returns json language plpgsql stable set enable_seqscan = off as $$
declare
  target record;
  companies bigint[];
  shown_ids bigint[];
  found_ids bigint[] := '{}';
  entries json[] := '{}';
  lookups json[] := '{}';
begin
  for target in
    select t.id, null::text as hostname from unnest(p_ids) t (id)
    union all
    select null, t.hostname from unnest(p_hostnames) t (hostname)
  loop
    companies := array[target.id];
    if target.id is null then
      companies := array(
        select distinct d.company_id from deliverable_domains d
        where d.hostname = target.hostname limit 2
      );
    end if;
    shown_ids := latest_observations(companies[1]);
    -- A company without a deliverable observation counts as none.
    if shown_ids = '{}' then companies := '{}'; end if;
    lookups := lookups || json_strip_nulls(json_build_object(
      'id', target.id,
      'hostname', target.hostname,
      'status', case cardinality(companies)
        when 0 then 'not_found' when 1 then 'found' else 'ambiguous' end,
      'company_id', case when cardinality(companies) = 1 then companies[1] end
    ));
    if cardinality(companies) = 1 and companies[1] <> all(found_ids) then
      found_ids := found_ids || companies[1];
      entries := entries
        || json_build_object('company_id', companies[1], 'observation_ids', shown_ids);
    end if;
  end loop;
  return json_build_object('entries', to_json(entries), 'lookups', to_json(lookups));
end $$;
