-- What the words of the dataset have to do with each other: learned by one process from the dataset,
-- read by every replica, so that all rank alike. Only the last one is kept.
create table semantic_models (
  id bigint generated always as identity primary key,
  -- How the body is written and what it is learned by: others are learned anew.
  format integer not null,
  -- Of the dataset, when it was learned.
  documents integer not null,
  body bytea not null,
  learned_at timestamptz not null default now()
);

-- One process learns at a time; one that died is given up when its time is over.
create table semantic_learning (
  only_row boolean primary key default true,
  leased_until timestamptz not null default '-infinity',
  constraint semantic_learning_one_row check (only_row)
);
insert into semantic_learning default values;
