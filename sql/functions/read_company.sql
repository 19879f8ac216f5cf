-- Functions for unmetered reads. read_company() and read_observation() also check the caller, so
-- that a read is one statement.

-- Returns a company with its three latest deliverable observations (specification 2, Company). The
-- answer has their ids and revisions in parallel lists, and the company's active hostnames that
-- they support. With p_bodies, it also has their bodies.
create or replace function read_company(
  p_key_hash bytea,
  p_company_id bigint,
  p_bodies boolean,
  p_now timestamptz
) returns json language plpgsql stable as $$
declare
  at timestamptz := coalesce(p_now, now());
  refused text := refusal_of_key(p_key_hash, at);
  ids bigint[];
  revisions text[];
  company_name text;
  hostnames json;
begin
  if refused is not null then return refusal(refused); end if;
  select
    array_agg(o.id),
    array_agg(observation_revision(o.change_seq, o.last_seen_at)),
    min(o.company_name)
  into ids, revisions, company_name
  from latest_deliverable(p_company_id) o;
  if ids is null then return refusal('company_not_found'); end if;
  select json_agg(json_build_object('id', d.id, 'hostname', d.hostname) order by d.id)
  into hostnames
  from company_domains cd
  join domains d on d.id = cd.domain_id
  where cd.company_id = p_company_id
    and cd.active
    and exists (
      select from observation_domains od
      where od.observation_id = any(ids) and od.domain_id = cd.domain_id
    );
  return json_build_object(
    'outcome', 'found',
    'as_of', instant(at),
    'company_name', company_name,
    'ids', ids,
    'revisions', revisions,
    'domains', hostnames,
    'bodies', case when p_bodies then observation_bodies(ids) end
  );
end $$;

-- Returns the three deliverable observations that company reads and lookups show, in their order.
create or replace function latest_deliverable(p_company_id bigint)
returns setof deliverable_observations language sql stable as $$
  select o.*
  from deliverable_observations o
  where o.company_id = p_company_id
  order by o.occurred_at desc nulls last, o.observed_at desc, o.id desc
  limit 3
$$;

-- Returns the ids of the observations that latest_deliverable() returns.
create or replace function latest_observations(p_company_id bigint)
returns bigint[] language plpgsql stable as $$
begin
  return array(select o.id from latest_deliverable(p_company_id) o);
end $$;

-- Returns an observation with its company, its revision and, with p_bodies, its body.
create or replace function read_observation(
  p_key_hash bytea,
  p_observation_id bigint,
  p_bodies boolean,
  p_now timestamptz
) returns json language plpgsql stable as $$
declare
  refused text := refusal_of_key(p_key_hash, coalesce(p_now, now()));
  o record;
begin
  if refused is not null then return refusal(refused); end if;
  select
    d.company_id,
    d.company_name,
    observation_revision(d.change_seq, d.last_seen_at) as revision
  into o
  from deliverable_observations d
  where d.id = p_observation_id;
  if not found then return refusal('observation_not_found'); end if;
  return json_build_object(
    'outcome', 'found',
    'company_id', o.company_id,
    'company_name', o.company_name,
    'revision', o.revision,
    'body', case when p_bodies
      then observation_bodies(array[p_observation_id]) -> p_observation_id::text
    end
  );
end $$;
