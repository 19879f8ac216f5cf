-- Observations that become visible under a hostname later than they were recorded.

-- Last moment of the previous write, which readers see until this write commits. Observations that
-- are recorded later belong to this write.
alter table dataset_clock
  add column visible_at timestamptz not null default '-infinity',
  -- The last moment that an observation has got.
  add column taken_at timestamptz not null default '-infinity';

-- An observation that a hostname gained later than it was recorded, because its company gained the
-- hostname: for that hostname alone it counts as recorded again at this moment. A row that is older
-- than the observation's recorded_at has no meaning any more.
create table relisted_observations (
  domain_id bigint not null references domains,
  observation_id bigint not null references observations,
  recorded_at timestamptz not null,
  primary key (domain_id, observation_id)
);
-- The listing reads a hostname's rows in the order of their moments.
create index relisted_observations_recorded
  on relisted_observations (domain_id, recorded_at, observation_id);
