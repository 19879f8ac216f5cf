-- Unmetered reads, each with its caller checked in the same statement.

-- A company with its three latest deliverable observations (specification 2, Company).
create or replace function read_company(p_key_hash bytea, p_company_id bigint, p_now timestamptz)
returns json language plpgsql stable as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  latest bigint[];
begin
  select * into c from find_caller(p_key_hash, at);
  if not found then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  latest := latest_observations(p_company_id);
  if cardinality(latest) = 0 then return refusal('company_not_found'); end if;
  return json_build_object(
    'outcome', 'found',
    'as_of', instant(at),
    'observation_ids', latest,
    'observations', observation_rows(latest, true)
  );
end $$;

-- The three that company reads and lookups show.
create or replace function latest_observations(p_company_id bigint)
returns bigint[] language sql stable as $$
  select array(
    select id
    from deliverable_observations
    where company_id = p_company_id
    order by occurred_at desc nulls last, observed_at desc, id desc
    limit 3
  )
$$;

create or replace function read_observation(
  p_key_hash bytea,
  p_observation_id bigint,
  p_now timestamptz
) returns json language plpgsql stable as $$
declare
  c caller;
  observation json;
begin
  select * into c from find_caller(p_key_hash, coalesce(p_now, now()));
  if not found then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  observation := observation_rows(array[p_observation_id], false) -> 0;
  if observation is null then return refusal('observation_not_found'); end if;
  return json_build_object('outcome', 'found', 'observation', observation);
end $$;
