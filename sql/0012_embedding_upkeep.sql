-- Models that come and go, and observations that expire.

alter table embedding_models
  -- About when a worker's settings last named the model.
  add column asked_at timestamptz not null default now(),
  -- What had expired by this place of (expires_at, id) has no vectors any more.
  add column expired_at timestamptz not null default '-infinity',
  add column expired_id bigint not null default 0;

-- A model that had refused all texts counted as complete: its walk begins again.
delete from observation_embeddings e using embedding_models m
where m.id = e.model_id and m.dimensions is null;
update embedding_models set ready_at = null, change_seq = 0, observation_id = 0
where dimensions is null;
alter table embedding_models
  add constraint embedding_models_ready check (ready_at is null or dimensions is not null);

-- Expiry changes no row, so no walk of the change sequence comes by it.
create index observations_expiry on observations (expires_at, id) where expires_at is not null;

-- Both have other parameters now.
drop function if exists store_embeddings(integer, uuid, bigint, bigint, boolean, integer, jsonb);
drop function if exists retire_embeddings(integer);
