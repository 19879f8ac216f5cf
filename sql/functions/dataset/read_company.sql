-- Functions for unmetered reads. Each also checks the caller, so that a read is one statement.

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

-- Returns the ids of the three deliverable observations that company reads and lookups show, in
-- their order.
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
