-- Tables of the search: vectors that a model elsewhere computes from the dataset, and the lease of
-- the process that writes the index of a search cluster.

-- Models that embed observations. Workers compute the vectors, and every replica reads them.
create table embedding_models (
  id integer generated always as identity primary key,
  name text not null,
  -- How vectors are turned and rounded. Vectors of another format are computed anew.
  format integer not null,
  -- Null until the first vector is there.
  dimensions integer,
  -- All observations up to this place of the change sequence have been looked at.
  change_seq bigint not null default 0,
  observation_id bigint not null default 0,
  -- That of the last vectors. It grows in the order of commits, since writers hold this row.
  stored_seq bigint not null default 0,
  -- When the change sequence had been walked to its end: from then on the model serves.
  ready_at timestamptz,
  lease_token uuid,
  leased_until timestamptz,
  -- About when a worker's settings last named the model.
  asked_at timestamptz not null default now(),
  -- Observations that had expired by this place of (expires_at, id) have no vectors any more.
  expired_at timestamptz not null default '-infinity',
  expired_id bigint not null default 0,
  constraint embedding_models_once unique (name, format),
  constraint embedding_models_lease check ((lease_token is null) = (leased_until is null)),
  constraint embedding_models_dimensions check (dimensions between 1 and 8192),
  constraint embedding_models_ready check (ready_at is null or dimensions is not null)
);

create table observation_embeddings (
  model_id integer not null references embedding_models,
  observation_id bigint not null references observations,
  -- Key of the embedded text. A revised observation has another one.
  content_key bytea not null,
  -- Eight bits per coordinate. Times the scale it is a vector of length 1. Null: the observation may
  -- not be shown, or the model has refused its text.
  vector bytea,
  scale real,
  stored_seq bigint not null,
  primary key (model_id, observation_id),
  constraint observation_embeddings_whole check ((vector is null) = (scale is null))
);

-- Replicas page by it: one write gives many rows the same stored_seq.
create index observation_embeddings_stored
  on observation_embeddings (model_id, stored_seq, observation_id);

-- The process that writes the index of a search cluster. Another one takes over when its lease ends.
create table search_writer (
  only_row boolean primary key default true,
  lease_token uuid,
  leased_until timestamptz,
  constraint search_writer_only_row check (only_row),
  constraint search_writer_lease check ((lease_token is null) = (leased_until is null))
);
