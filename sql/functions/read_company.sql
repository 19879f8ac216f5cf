-- Unmetered reads, each with its caller checked in the same statement.

-- A company with its three latest deliverable observations (specification 2, Company).
-- With p_bodies the answer has the body of every observation.
create or replace function read_company(
  p_key_hash bytea,
  p_company_id bigint,
  p_bodies boolean,
  p_now timestamptz
) returns json language plpgsql stable as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  latest bigint[];
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  latest := latest_observations(p_company_id);
  if cardinality(latest) = 0 then return refusal('company_not_found'); end if;
  return json_build_object(
    'outcome', 'found',
    'as_of', instant(at),
    'shown', shown_observations(latest, p_bodies, true)
  );
end $$;

-- The three that company reads and lookups show.
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

-- An observation by itself. With p_bodies the answer has its body.
create or replace function read_observation(
  p_key_hash bytea,
  p_observation_id bigint,
  p_bodies boolean,
  p_now timestamptz
) returns json language plpgsql stable as $$
declare
  c caller;
  shown json;
begin
  c := caller_of_key(p_key_hash, coalesce(p_now, now()));
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  shown := shown_observations(array[p_observation_id], p_bodies, false);
  if json_array_length(shown -> 'ids') = 0 then return refusal('observation_not_found'); end if;
  return json_build_object('outcome', 'found', 'shown', shown);
end $$;
