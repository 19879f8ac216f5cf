-- Leases to a worker the computation of a model's vectors, which walks through the change sequence
-- of the observations. There is work if observations have changed after the walk's position, or if
-- the model has vectors but is not ready for searches yet. Returns null if there is no work, or if
-- another worker holds the lease.
create or replace function claim_embedding(
  p_name text,
  p_format integer,
  p_lease uuid,
  p_seconds integer
) returns json language plpgsql as $$
declare
  claimed embedding_models;
begin
  if not exists (select from embedding_models where name = p_name and format = p_format) then
    insert into embedding_models (name, format) values (p_name, p_format) on conflict do nothing;
  end if;
  -- Idle workers call this every second. One write per minute suffices.
  update embedding_models set asked_at = clock_timestamp()
  where name = p_name and format = p_format and asked_at < clock_timestamp() - interval '1 minute';
  update embedding_models m set
    lease_token = p_lease,
    leased_until = clock_timestamp() + make_interval(secs => p_seconds)
  where m.name = p_name
    and m.format = p_format
    and (m.lease_token = p_lease or coalesce(m.leased_until <= clock_timestamp(), true))
    and (
      (m.ready_at is null and m.dimensions is not null)
      -- This compares with the last position only. A check for any row after a position would read
      -- the whole table.
      or (m.change_seq, m.observation_id) < (
        select o.change_seq, o.id from observations o
        order by o.change_seq desc, o.id desc
        limit 1
      )
    )
  returning m.* into claimed;
  if not found then
    return null;
  end if;
  return json_build_object(
    'model_id', claimed.id,
    'dimensions', claimed.dimensions,
    'change_seq', claimed.change_seq,
    'observation_id', claimed.observation_id
  );
end $$;

-- Stores the vectors of a part of a page of observations, and renews the lease. Stores nothing if
-- another worker has taken the lease. p_rows: [{observation_id, content_key, vector, scale}], keys
-- in hexadecimal, vectors in base64 or null. p_dimensions: null without vectors.
create or replace function store_embeddings(
  p_model_id integer,
  p_lease uuid,
  p_seconds integer,
  p_dimensions integer,
  p_rows jsonb
) returns void language plpgsql as $$
declare
  model embedding_models;
begin
  update embedding_models set
    stored_seq = stored_seq + 1,
    dimensions = coalesce(dimensions, p_dimensions),
    leased_until = clock_timestamp() + make_interval(secs => p_seconds)
  where id = p_model_id and lease_token = p_lease
  returning * into model;
  if not found then
    return;
  end if;
  if p_dimensions <> model.dimensions then
    raise exception 'vectors of other dimensions than the model''s';
  end if;
  insert into observation_embeddings
    (model_id, observation_id, content_key, vector, scale, stored_seq)
  select
    p_model_id,
    (r ->> 'observation_id')::bigint,
    decode(r ->> 'content_key', 'hex'),
    decode(r ->> 'vector', 'base64'),
    (r ->> 'scale')::real,
    model.stored_seq
  from jsonb_array_elements(p_rows) r
  on conflict (model_id, observation_id) do update set
    content_key = excluded.content_key,
    vector = excluded.vector,
    scale = excluded.scale,
    stored_seq = excluded.stored_seq;
end $$;

-- Advances the walk after a whole page is stored. At the end of the walk, the model becomes ready
-- for searches if it has ever returned a vector. Returns false if another worker has taken the
-- lease.
create or replace function advance_embedding(
  p_model_id integer,
  p_lease uuid,
  p_change_seq bigint,
  p_observation_id bigint,
  p_at_end boolean
) returns boolean language plpgsql as $$
begin
  update embedding_models set
    change_seq = p_change_seq,
    observation_id = p_observation_id,
    ready_at = coalesce(
      ready_at,
      case when p_at_end and dimensions is not null then clock_timestamp() end
    )
  where id = p_model_id and lease_token = p_lease;
  return found;
end $$;

-- Gives a lease back before it ends.
create or replace function release_embedding(p_lease uuid) returns void language sql as $$
  update embedding_models set lease_token = null, leased_until = null where lease_token = p_lease
$$;

-- Deletes up to p_most vectors of models that no worker has used for an hour, and then those of
-- these models that have no vectors left. Does nothing until the present model is ready for
-- searches. Returns the number of deleted vectors.
create or replace function retire_embeddings(p_name text, p_format integer, p_most integer)
returns integer language plpgsql as $$
declare
  retired_ids integer[];
  deleted integer;
begin
  if not exists (
    select from embedding_models
    where name = p_name and format = p_format and ready_at is not null
  ) then
    return 0;
  end if;
  -- A retired model that is used again restarts its walk. Vectors that are still stored are not
  -- computed again. The model is ready for searches after its walk has reached the end.
  with retired as (
    update embedding_models set
      ready_at = null,
      change_seq = 0,
      observation_id = 0,
      lease_token = null,
      leased_until = null
    where (name, format) <> (p_name, p_format)
      and asked_at < clock_timestamp() - interval '1 hour'
    returning id
  )
  select array_agg(id) into retired_ids from retired;
  if retired_ids is null then
    return 0;
  end if;
  with retired as (
    select model_id, observation_id from observation_embeddings
    where model_id = any(retired_ids) limit p_most for update skip locked
  )
  delete from observation_embeddings e using retired r
  where e.model_id = r.model_id and e.observation_id = r.observation_id;
  get diagnostics deleted = row_count;
  delete from embedding_models m
  where m.id = any(retired_ids)
    and not exists (select from observation_embeddings e where e.model_id = m.id);
  return deleted;
end $$;

-- Deletes the vectors of up to p_most expired observations. Returns the number of these
-- observations.
create or replace function forget_expired(p_name text, p_format integer, p_most integer)
returns integer language plpgsql as $$
declare
  model embedding_models;
  ids bigint[];
  last timestamptz;
begin
  select * into model from embedding_models where name = p_name and format = p_format;
  -- The ten minutes exceed the time that a worker needs to store a page that it has already read.
  select array_agg(id order by expires_at, id), max(expires_at) into ids, last
  from (
    select o.id, o.expires_at from observations o
    where (o.expires_at, o.id) > (model.expired_at, model.expired_id)
      and o.expires_at < now() - interval '10 minutes'
    order by o.expires_at, o.id
    limit p_most
  ) expired;
  if ids is null then
    return 0;
  end if;
  update embedding_models m set
    stored_seq = m.stored_seq + 1,
    expired_at = last,
    expired_id = ids[cardinality(ids)]
  where m.id = model.id
    and (m.expired_at, m.expired_id) = (model.expired_at, model.expired_id)
  returning m.* into model;
  if not found then
    return 0;
  end if;
  -- The rows stay, so that replicas notice the deletion. Their content key is emptied, so that an
  -- observation is embedded again if it is revised to expire later.
  update observation_embeddings e set
    content_key = '',
    vector = null,
    scale = null,
    stored_seq = model.stored_seq
  from observations o
  where e.model_id = model.id
    and e.observation_id = any(ids)
    and e.vector is not null
    and o.id = e.observation_id
    and o.expires_at <= now();
  return cardinality(ids);
end $$;
