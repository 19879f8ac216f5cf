-- Functions with which operators and sources change what the dataset shows. Each that operators or
-- sources call locks the dataset's clock, so that the indexes of processes, which follow the clock,
-- notice every observation that a change shows or hides.

-- Marks observations as changed, so that indexes read them again. The caller locks the clock.
create or replace function touch_observations(p_ids bigint[])
returns void language sql as $$
  update observations o set change_seq = clock.change_seq
  from dataset_clock clock
  where o.id = any(p_ids)
$$;

-- Permits or forbids a source. Returns its name, its permission and the number of its observations;
-- null if it does not exist. Observations that are shown again are recorded again, because callers
-- that poll for new ones have not seen them. Hostnames that only this source gives to companies
-- count as gained again (relist_observations).
create or replace function set_source(p_name text, p_permitted boolean)
returns json language plpgsql as $$
declare
  source sources;
  before boolean;
  changed bigint[];
begin
  perform advance_dataset_clock();
  select permitted into before from sources where name = p_name;
  update sources set permitted = p_permitted where name = p_name returning * into source;
  if not found then return null; end if;
  changed := array(select id from observations where source_id = source.id);
  if source.permitted and not before then
    perform record_again(changed);
    perform relist_observations(array_agg(o.company_id), array_agg(od.domain_id))
    from observations o join observation_domains od on od.observation_id = o.id
    where o.source_id = source.id;
  else
    perform touch_observations(changed);
  end if;
  return json_build_object(
    'source', source.name, 'permitted', source.permitted, 'observations', cardinality(changed)
  );
end $$;

-- Withdraws one observation. Returns null if it does not exist.
create or replace function withdraw_observation(p_id bigint) returns json language plpgsql as $$
begin
  perform advance_dataset_clock();
  update observations set withdrawn_at = coalesce(withdrawn_at, now()) where id = p_id;
  if not found then return null; end if;
  perform touch_observations(array[p_id]);
  return json_build_object('observation', p_id, 'withdrawn', true);
end $$;

-- Marks observations as gone whose source says that they have ended, by {source, external_id}. Such
-- an observation comes back when it is recorded again. Returns the number of observations.
create or replace function end_observations(p_keys jsonb) returns integer language plpgsql as $$
declare
  clock record;
  ended bigint[];
begin
  clock := advance_dataset_clock();
  ended := array(
    select o.id
    from jsonb_to_recordset(p_keys) as k (source text, external_id text)
    join sources s on s.name = k.source
    join observations o on o.source_id = s.id and o.external_id = k.external_id
    where o.gone_at is null
  );
  update observations set gone_at = clock.recorded_at, change_seq = clock.change_seq
  where id = any(ended);
  return cardinality(ended);
end $$;

-- Withdraws all evidence of an address in any of its spellings (uri_key), also that of later records.
create or replace function withdraw_evidence(p_source_uri text) returns json language plpgsql as $$
declare
  touched bigint[];
begin
  perform advance_dataset_clock();
  insert into withdrawn_evidence_uris (source_uri) values (p_source_uri)
  on conflict (md5(uri_key(source_uri))) do nothing;
  with withdrawn as (
    update evidence set withdrawn_at = now()
    where uri_key(source_uri) = uri_key(p_source_uri) and withdrawn_at is null
    returning observation_id
  )
  select coalesce(array_agg(distinct observation_id), '{}') into touched from withdrawn;
  perform touch_observations(touched);
  return json_build_object('evidence_uri', p_source_uri, 'observations', cardinality(touched));
end $$;

-- Suppresses a company, so that none of its observations is shown. If it was merged, the company
-- into which it was merged is suppressed, and the answer has the id of that company. Returns null
-- if the company does not exist. A repeated call renews suppressed_at. Companies that were merged
-- with it before the last call stay suppressed even if the merge is undone.
create or replace function suppress_company(p_id bigint) returns json language plpgsql as $$
declare
  touched bigint[];
begin
  perform advance_dataset_clock();
  p_id := kept_company(p_id);
  update companies set suppressed_at = (select recorded_at from dataset_clock) where id = p_id;
  if not found then return null; end if;
  touched := array(select id from observations where company_id = p_id);
  perform touch_observations(touched);
  return json_build_object('company', p_id, 'observations', cardinality(touched));
end $$;
