-- Sources that are asked on a schedule, and records that a source no longer shows.

-- Where a source is asked instead of at its own address: a mirror, or a server of a test.
alter table sources add column address text;

-- What a source is asked for, how often, and how that goes. One process at a time works on a feed,
-- under a lease; a run that was cut short goes on where its checkpoint says.
create table source_feeds (
  id integer generated always as identity primary key,
  source_id integer not null references sources,
  -- A board, a CIK, a hostname; empty where there is one thing to ask for.
  target text not null default '',
  -- {name, domains} of the company that the source's records leave out.
  company jsonb,
  refresh_interval interval not null,
  due_at timestamptz not null,
  lease_token uuid,
  leased_until timestamptz,
  -- {url, etag, last_modified} of the last answer that was read to its end: the next request asks
  -- whether anything has changed since.
  validators jsonb,
  -- The run that is not finished: when it began, what the dataset's clock said then (a record that
  -- it shows is recorded or seen later), and {request, requests, counts} of what is in already.
  run_started_at timestamptz,
  seen_after timestamptz,
  checkpoint jsonb,
  -- An operator's word for the next complete run: what it does not show is gone, however much.
  believed boolean not null default false,
  -- In a row, since the last success.
  failures integer not null default 0,
  last_started_at timestamptz,
  last_succeeded_at timestamptz,
  last_outcome text,
  last_error text,
  last_counts jsonb,
  constraint source_feeds_target_once unique (source_id, target),
  constraint source_feeds_interval_least check (refresh_interval >= interval '60 s'),
  constraint source_feeds_lease check ((lease_token is null) = (leased_until is null)),
  constraint source_feeds_run check (
    (run_started_at is null) = (seen_after is null)
    and (checkpoint is null or run_started_at is not null)
  ),
  constraint source_feeds_outcome_known
    check (last_outcome in ('complete', 'not_modified', 'suspicious', 'failed'))
);

-- When a run of a source that lists everything did not show the record any more. A record that is
-- seen again stands again. An operator's withdrawal is another matter: withdrawn_at.
alter table observations add column gone_at timestamptz;

create or replace view deliverable_observations as
select
  o.id,
  o.source_id,
  o.company_id,
  c.name as company_name,
  o.kind,
  o.observed_fact,
  o.why_it_may_matter,
  o.demand_class,
  o.country,
  o.confidence,
  o.occurred_at,
  o.observed_at,
  o.expires_at,
  o.categories,
  o.recorded_at,
  o.last_seen_at,
  o.change_seq
from observations o
join sources s on s.id = o.source_id
join companies c on c.id = o.company_id
where s.permitted
  and c.suppressed_at is null
  and o.withdrawn_at is null
  and o.gone_at is null
  and (o.expires_at is null or o.expires_at > now())
  and exists (
    select from evidence e where e.observation_id = o.id and e.withdrawn_at is null
  );
