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
  ids bigint[];
  company_ids bigint[];
  company_names text[];
  revisions text[];
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  select
    array_agg(o.id),
    array_agg(o.company_id),
    array_agg(o.company_name),
    array_agg(observation_revision(o.change_seq, o.last_seen_at))
  into ids, company_ids, company_names, revisions
  from latest_deliverable(p_company_id) o;
  if ids is null then return refusal('company_not_found'); end if;
  return json_build_object(
    'outcome', 'found',
    'as_of', instant(at),
    'shown', shown_json(
      ids, company_ids, company_names, revisions, case when p_bodies then ids end, true)
  );
end $$;

-- The three deliverable observations that company reads and lookups show, in their order.
create or replace function latest_deliverable(p_company_id bigint)
returns setof deliverable_observations language sql stable as $$
  select o.*
  from deliverable_observations o
  where o.company_id = p_company_id
  order by o.occurred_at desc nulls last, o.observed_at desc, o.id desc
  limit 3
$$;

-- The ids of these three.
create or replace function latest_observations(p_company_id bigint)
returns bigint[] language plpgsql stable as $$
begin
  return array(select o.id from latest_deliverable(p_company_id) o);
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
