-- Leases the walk of a model to a worker where observations have changed beyond its place. Returns
-- null where there is nothing to do, or another worker is at it.
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
  update embedding_models m set
    lease_token = p_lease,
    leased_until = clock_timestamp() + make_interval(secs => p_seconds)
  where m.name = p_name
    and m.format = p_format
    and (m.lease_token = p_lease or coalesce(m.leased_until <= clock_timestamp(), true))
    and (m.ready_at is null or exists (
      select from observations o where (o.change_seq, o.id) > (m.change_seq, m.observation_id)
    ))
  returning m.* into claimed;
  if not found then
    return null;
  end if;
  return json_build_object(
    'model_id', claimed.id,
    'change_seq', claimed.change_seq,
    'observation_id', claimed.observation_id
  );
end $$;

-- Stores what a worker has made of a page, and moves the walk on: all of it or nothing. p_rows:
-- [{observation_id, content_key, vector, scale}], keys in hexadecimal, vectors in base64 or null.
-- p_dimensions: null where there are no vectors. Returns false where the lease is another's by now.
create or replace function store_embeddings(
  p_model_id integer,
  p_lease uuid,
  p_change_seq bigint,
  p_observation_id bigint,
  p_at_end boolean,
  p_dimensions integer,
  p_rows jsonb
) returns boolean language plpgsql as $$
declare
  seq bigint;
begin
  update embedding_models set
    change_seq = p_change_seq,
    observation_id = p_observation_id,
    stored_seq = stored_seq + 1,
    dimensions = coalesce(dimensions, p_dimensions),
    ready_at = coalesce(ready_at, case when p_at_end then clock_timestamp() end)
  where id = p_model_id and lease_token = p_lease
  returning stored_seq into seq;
  if not found then
    return false;
  end if;
  if p_dimensions <> (select dimensions from embedding_models where id = p_model_id) then
    raise exception 'the model answers with other dimensions than before';
  end if;
  insert into observation_embeddings
    (model_id, observation_id, content_key, vector, scale, stored_seq)
  select
    p_model_id,
    (r ->> 'observation_id')::bigint,
    decode(r ->> 'content_key', 'hex'),
    decode(r ->> 'vector', 'base64'),
    (r ->> 'scale')::real,
    seq
  from jsonb_array_elements(p_rows) r
  on conflict (model_id, observation_id) do update set
    content_key = excluded.content_key,
    vector = excluded.vector,
    scale = excluded.scale,
    stored_seq = excluded.stored_seq;
  return true;
end $$;

-- Gives a lease back before its time.
create or replace function release_embedding(p_lease uuid) returns void language sql as $$
  update embedding_models set lease_token = null, leased_until = null where lease_token = p_lease
$$;

-- Deletes up to p_most vectors of models that a later one has replaced and nobody works on; then the
-- models. Returns how many vectors went.
create or replace function retire_embeddings(p_most integer) returns integer
language plpgsql as $$
declare
  serving integer;
  old integer[];
  gone integer;
begin
  select id into serving from embedding_models
  where ready_at is not null order by ready_at desc, id desc limit 1;
  select array_agg(id) into old from embedding_models
  where id <> serving
    and coalesce(leased_until <= clock_timestamp(), true)
    and (ready_at is not null or id < serving);
  if old is null then
    return 0;
  end if;
  with retired as (
    select model_id, observation_id from observation_embeddings
    where model_id = any(old) limit p_most for update skip locked
  )
  delete from observation_embeddings e using retired r
  where e.model_id = r.model_id and e.observation_id = r.observation_id;
  get diagnostics gone = row_count;
  delete from embedding_models m
  where m.id = any(old)
    and not exists (select from observation_embeddings e where e.model_id = m.id);
  return gone;
end $$;
