-- What search computes from the dataset: the learned model of its words, and vectors of a model that
-- runs elsewhere.

-- What the words of the dataset have to do with each other. One process learns it, and every replica
-- reads it, so that all rank alike. Only the last model is kept.
create table semantic_models (
  id bigint generated always as identity primary key,
  -- How the body is written and what it is learned by. Models of another format are learned anew.
  format integer not null,
  -- Number of documents in the dataset when the model was learned.
  documents integer not null,
  body bytea not null,
  learned_at timestamptz not null default now()
);

-- One process learns at a time. A process that died is given up when its lease ends.
create table semantic_learning (
  only_row boolean primary key default true,
  leased_until timestamptz not null default '-infinity',
  constraint semantic_learning_one_row check (only_row)
);
insert into semantic_learning default values;

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

-- Tables of a search engine outside of this process, if there is one. There are two sets of them,
-- a and b. One serves searches, and a rebuild fills the other.
create table search_tables (
  only_row boolean primary key default true,
  -- Null until a set has been filled for the first time.
  serving text,
  served_since timestamptz,
  -- The set that is being filled; null if none is.
  filling text,
  -- One process writes. A process that died is given up when its lease ends.
  lease_token uuid,
  leased_until timestamptz,
  constraint search_tables_one_row check (only_row),
  constraint search_tables_serving check (serving in ('a', 'b')),
  constraint search_tables_filling check (filling in ('a', 'b') and filling <> serving),
  constraint search_tables_served check ((serving is null) = (served_since is null)),
  constraint search_tables_lease check ((lease_token is null) = (leased_until is null))
);
insert into search_tables default values;
