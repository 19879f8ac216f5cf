-- The numbered migrations of an early version, as they were applied. The scripts of sql/ replace
-- them. A database that has all of them is adopted (src/db/adopted.ts). Before each migration there
-- is a line with its name.
--- 0001_accounts
-- Who calls: plans, accounts, their one subscription each, and API keys.

create table plans (
  name text primary key,
  page_limit integer not null,
  window_seconds integer not null,
  request_units integer not null,
  weekly_request_units integer not null,
  delivered_units integer not null,
  weekly_delivered_units integer not null,
  constraint plans_page_limit_range check (page_limit between 1 and 100),
  constraint plans_window_seconds_range check (window_seconds between 1 and 604800),
  constraint plans_units_not_negative check (
    least(request_units, weekly_request_units, delivered_units, weekly_delivered_units) >= 0
  )
);

insert into plans values
  ('builder', 25, 3600, 120, 2000, 1000, 10000),
  ('professional', 50, 3600, 600, 10000, 5000, 50000);

create table accounts (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now(),
  constraint accounts_name_length check (length(name) between 1 and 200)
);

-- current_period_start is the anchor: an active period rolls on from it by whole months (see
-- find_caller), a trial ends once and for all at current_period_end.
create table subscriptions (
  id bigint generated always as identity primary key,
  account_id bigint not null unique references accounts,
  plan text not null references plans,
  status text not null,
  current_period_start timestamptz not null,
  current_period_end timestamptz not null,
  constraint subscriptions_status_known
    check (status in ('trialing', 'active', 'past_due', 'paused', 'canceled')),
  constraint subscriptions_period_order check (current_period_end > current_period_start)
);

-- Only the SHA-256 of a key is kept; the unique index is the one read of authentication.
create table api_keys (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  name text not null default '',
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint api_keys_hash_length check (length(hash) = 32)
);

create index api_keys_account on api_keys (account_id);
--- 0002_dataset
-- What is known: sources, companies, hostnames, observations and their evidence. Observations and
-- companies are never deleted: what may no longer be shown is marked, and deliverable_observations
-- leaves it out. A revision replaces an observation's evidence and observation_domains rows.

create table sources (
  id integer generated always as identity primary key,
  name text not null unique,
  permitted boolean not null default true,
  created_at timestamptz not null default now(),
  constraint sources_name_length check (length(name) between 1 and 255)
);

create table companies (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now(),
  suppressed_at timestamptz,
  constraint companies_name_length check (length(name) between 1 and 300)
);

-- How a source names a company: by its own identifier, and by name and country. The name beside
-- the identifier is the last one given with it: only when that changes is the company renamed, so
-- sources that spell a name differently do not rename it in turn.
create table company_external_ids (
  source_id integer not null references sources,
  external_id text not null,
  company_id bigint not null references companies,
  name text not null,
  primary key (source_id, external_id)
);
create index company_external_ids_company on company_external_ids (company_id, source_id);

create table company_names (
  source_id integer not null references sources,
  normalized_name text not null,
  country text not null,
  company_id bigint not null references companies,
  -- The company is part of the key: two companies that a source tells apart may share a name.
  primary key (source_id, normalized_name, country, company_id)
);

create table domains (
  id bigint generated always as identity primary key,
  hostname text not null unique,
  constraint domains_hostname_form check (hostname ~ '^[^[:upper:][:space:]/@:]+[^.]$' and length(hostname) <= 253)
);

create table company_domains (
  domain_id bigint not null references domains,
  company_id bigint not null references companies,
  active boolean not null default true,
  primary key (domain_id, company_id)
);
create index company_domains_company on company_domains (company_id);

create table observations (
  id bigint generated always as identity primary key,
  source_id integer not null references sources,
  external_id text not null,
  company_id bigint not null references companies,
  kind text not null,
  observed_fact text not null,
  why_it_may_matter text not null,
  demand_class text not null,
  country text not null,
  confidence double precision not null,
  occurred_at timestamptz,
  observed_at timestamptz not null,
  expires_at timestamptz,
  categories text[] not null default '{}',
  content_hash bytea not null,
  recorded_at timestamptz not null,
  last_seen_at timestamptz,
  withdrawn_at timestamptz,
  change_seq bigint not null,
  constraint observations_source_record unique (source_id, external_id),
  constraint observations_kind_known check (kind in (
    'procurement_request', 'facility_expansion', 'funding_round', 'leadership_change',
    'product_launch', 'partnership', 'technology_use', 'job_posting', 'company_profile'
  )),
  constraint observations_demand_class_known
    check (demand_class in ('explicit_request', 'proxy', 'structural')),
  constraint observations_country_known check (country in ('CA', 'US')),
  constraint observations_confidence_range check (confidence between 0 and 1),
  constraint observations_categories_count check (cardinality(categories) <= 100),
  -- Specification 2, Observation: occurred_at is null only for kind company_profile.
  constraint observations_event_time check (occurred_at is not null or kind = 'company_profile')
) with (fillfactor = 90);

-- A company's latest observations, in the order in which company reads show them.
create index observations_company_latest
  on observations (company_id, occurred_at desc nulls last, observed_at desc, id desc);
-- Followers page by (change_seq, id): one write gives many rows the same change_seq.
create index observations_changes on observations (change_seq, id);

-- Which observations support a company's link to a hostname.
create table observation_domains (
  observation_id bigint not null references observations,
  domain_id bigint not null references domains,
  primary key (observation_id, domain_id)
);

create table evidence (
  id bigint generated always as identity primary key,
  observation_id bigint not null references observations,
  source_uri text not null,
  excerpt text not null,
  occurred_at timestamptz,
  observed_at timestamptz not null,
  withdrawn_at timestamptz
);
create index evidence_observation on evidence (observation_id, id);
-- Withdrawal by address; hashed, since an address may be longer than a btree entry.
create index evidence_source_uri on evidence using hash (source_uri);

-- A withdrawn address stays withdrawn, also in records that come later.
create table withdrawn_evidence_uris (
  id bigint generated always as identity primary key,
  source_uri text not null,
  withdrawn_at timestamptz not null default now()
);
create unique index withdrawn_evidence_uris_once on withdrawn_evidence_uris (md5(source_uri));

-- One row, locked by every write to the dataset until it commits: so change_seq and recorded_at
-- grow in the order of commits, and a reader who has seen a value has seen all before it.
create table dataset_clock (
  only_row boolean primary key default true,
  change_seq bigint not null default 0,
  recorded_at timestamptz not null default '-infinity',
  constraint dataset_clock_one_row check (only_row)
);
insert into dataset_clock default values;

-- The only definition of what may be shown.
create view deliverable_observations as
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
  and (o.expires_at is null or o.expires_at > now())
  and exists (
    select from evidence e where e.observation_id = o.id and e.withdrawn_at is null
  );

-- A hostname belongs to a company while an active link is supported by a deliverable observation.
create view deliverable_domains as
select cd.company_id, cd.domain_id, d.hostname, o.id as observation_id
from company_domains cd
join domains d on d.id = cd.domain_id
join observation_domains od on od.domain_id = cd.domain_id
join deliverable_observations o on o.id = od.observation_id and o.company_id = cd.company_id
where cd.active;
-- hostname -> its observations; the primary key serves the other way.
create index observation_domains_domain on observation_domains (domain_id);
--- 0003_operations
-- What was asked and what it cost: operations, frozen shortlists, the ledger, the allowance counters.

create table operations (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  subscription_id bigint not null references subscriptions,
  request_key text not null,
  action text not null,
  -- SHA-256 of action and normalized inputs; scope is the same without the cursor.
  fingerprint bytea not null,
  scope bytea not null,
  inputs jsonb,
  status text not null,
  claimed_at timestamptz not null,
  deadline_at timestamptz not null,
  finished_at timestamptz,
  lease_token uuid,
  lease_expires_at timestamptz,
  message_id bigint,
  window_start timestamptz not null,
  week_start timestamptz not null,
  reserved_request_units integer not null,
  reserved_delivered_units integer not null,
  request_units integer not null default 0,
  delivered_units integer not null default 0,
  fresh_evidence_units integer not null default 0,
  failure_code text,
  result jsonb,
  -- Pages: where this page starts, whose frozen shortlist it cuts, and the cursor to the next one.
  shortlist_id bigint,
  start_position integer not null default 0,
  next_position integer,
  next_cursor text unique,
  constraint operations_request_key_once unique (account_id, request_key),
  constraint operations_request_key_form
    check (length(request_key) between 1 and 255 and request_key !~ '[^\x20-\x7e]'),
  constraint operations_units_within_reservation check (
    request_units between 0 and reserved_request_units
    and delivered_units between 0 and reserved_delivered_units
    and fresh_evidence_units >= 0
  ),
  -- Every state has its timestamp and what belongs to it; delivered work that has expired keeps
  -- its units, a tombstone keeps its key.
  constraint operations_state check (
    case status
      when 'pending' then lease_token is null and finished_at is null and inputs is not null
      when 'processing' then lease_token is not null and lease_expires_at is not null
        and finished_at is null and inputs is not null
      when 'delivered' then finished_at is not null and result is not null and request_units > 0
      when 'failed' then finished_at is not null and failure_code is not null and request_units = 0
      when 'expired' then finished_at is not null and result is null and inputs is null
      else false
    end
  ),
  constraint operations_finished_without_lease check (finished_at is null or lease_token is null),
  constraint operations_next_page check ((next_cursor is null) or (next_position is not null))
) with (fillfactor = 70);

-- Unfinished work: for the sweep (by its deadline) and for reservations (by subscription).
create index operations_unfinished on operations (deadline_at)
  where status in ('pending', 'processing');
create index operations_reserving on operations (subscription_id, window_start)
  where status in ('pending', 'processing');
-- Delivered results, oldest first, for their retention.
create index operations_retained on operations (finished_at) where status = 'delivered';

-- The ranked candidates of a first page that has a next one: never planned or ranked again.
create table shortlists (
  operation_id bigint primary key references operations,
  body jsonb not null
);

-- Append-only, one settlement for each operation. The truth of which the counters are a copy.
create table ledger (
  id bigint generated always as identity primary key,
  operation_id bigint not null references operations,
  subscription_id bigint not null references subscriptions,
  request_units integer not null,
  delivered_units integer not null,
  fresh_evidence_units integer not null,
  window_start timestamptz not null,
  week_start timestamptz not null,
  settled_at timestamptz not null,
  constraint ledger_one_settlement unique (operation_id),
  constraint ledger_units check (
    request_units > 0 and delivered_units >= 0 and fresh_evidence_units >= 0
  )
);
-- Counters are rebuilt for one subscription from a window's or week's start onwards.
create index ledger_window on ledger (subscription_id, window_start);
create index ledger_week on ledger (subscription_id, week_start);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;
create trigger ledger_append_only before update or delete or truncate on ledger
  for each statement execute function refuse_ledger_change();

-- Window and week in one row a subscription, locked last by every writer: as two rows, locked in
-- different orders by claim and settle, they deadlock.
create table allowances (
  subscription_id bigint primary key references subscriptions,
  window_start timestamptz not null default '-infinity',
  window_request_units integer not null default 0,
  window_delivered_units integer not null default 0,
  window_fresh_evidence_units integer not null default 0,
  window_reserved_request_units integer not null default 0,
  window_reserved_delivered_units integer not null default 0,
  week_start timestamptz not null default '-infinity',
  week_request_units integer not null default 0,
  week_delivered_units integer not null default 0,
  week_fresh_evidence_units integer not null default 0,
  week_reserved_request_units integer not null default 0,
  week_reserved_delivered_units integer not null default 0,
  reserved_request_units integer not null default 0,
  reserved_delivered_units integer not null default 0,
  constraint allowances_not_negative check (
    least(
      window_request_units, window_delivered_units, window_fresh_evidence_units,
      window_reserved_request_units, window_reserved_delivered_units,
      week_request_units, week_delivered_units, week_fresh_evidence_units,
      week_reserved_request_units, week_reserved_delivered_units,
      reserved_request_units, reserved_delivered_units
    ) >= 0
  )
) with (fillfactor = 50);

-- Who asks, as every function below that answers a caller reads it anew (see find_caller).
create type caller as (
  account_id bigint,
  subscription_id bigint,
  status text,
  plan text,
  page_limit integer,
  window_seconds integer,
  request_units integer,
  weekly_request_units integer,
  delivered_units integer,
  weekly_delivered_units integer,
  entitled boolean,
  period_start timestamptz,
  period_end timestamptz,
  window_start timestamptz,
  window_end timestamptz,
  week_start timestamptz,
  week_end timestamptz
);
--- 0004_listing_and_refresh
-- The observation listing, and hostnames that wait for a scheduled refresh.

-- A company's observations in the order in which they were recorded.
create index observations_company_recorded on observations (company_id, recorded_at, id);

-- How a source is asked for a hostname it may know: not at all where the interval is null.
alter table sources add column hostname_refresh_interval interval
  constraint sources_hostname_refresh_interval_positive
    check (hostname_refresh_interval > interval '0');

-- When a source was last asked for a hostname: one message at most in each interval.
create table hostname_refreshes (
  source_id integer not null references sources,
  hostname text not null,
  queued_at timestamptz not null,
  primary key (source_id, hostname)
);
--- 0005_dataset_id
-- Which dataset this is: an index that was saved for another one is refused.
alter table dataset_clock add column dataset_id uuid not null default gen_random_uuid();
--- 0006_company_resolution
-- What registers call companies, companies that turned out to be one, and names without legal forms.

-- An identifier names one company, whichever source gives it, and a company has one of each scheme.
-- Whose record said so first: its source, and what that calls the company.
create table company_identifiers (
  scheme text not null,
  value text not null,
  company_id bigint not null references companies,
  source_id integer not null references sources,
  company_external_id text,
  primary key (scheme, value),
  constraint company_identifiers_one_of_a_scheme unique (company_id, scheme),
  constraint company_identifiers_scheme_known check (scheme in ('cik', 'lei', 'uei'))
);

-- One company that was found to be another: all that was its own is the kept one's until the merge
-- is undone. What was moved is written down, so that exactly that can be given back.
create table company_merges (
  id bigint generated always as identity primary key,
  kept_id bigint not null references companies,
  merged_id bigint not null references companies,
  -- An operator's words, or the identifier that said so.
  reason text not null,
  -- Whose record brought that identifier; null where an operator merged.
  source_id integer references sources,
  merged_at timestamptz not null,
  undone_at timestamptz,
  observation_ids bigint[] not null,
  -- {external_ids: [{source_id, external_id, name}], identifiers: [{scheme, value}],
  --  names: [{source_id, normalized_name, country, own}], domains: [{domain_id, active, own}]};
  -- own: the kept company had it by itself, and keeps it.
  moved jsonb not null,
  -- The kept one is suppressed for the merged one alone, and for others of which the same is true.
  suppressed boolean not null,
  constraint company_merges_two_companies check (kept_id <> merged_id),
  constraint company_merges_reason_length check (length(reason) between 1 and 500)
);
create index company_merges_into on company_merges (kept_id) where undone_at is null;
-- A company is merged once at a time.
create unique index company_merges_once on company_merges (merged_id) where undone_at is null;
-- Whom an operator told apart: nothing merges them again by itself.
create index company_merges_undone on company_merges (kept_id, merged_id)
  where undone_at is not null;

alter table companies
  add column merged_into bigint references companies,
  add constraint companies_merged_elsewhere check (merged_into <> id);

-- What the source calls the company in this record: where a merge is undone, what was recorded in
-- between goes by it. Null where the source gave nothing, or did so before this column.
alter table observations add column company_external_id text;

-- Merging takes all names of a company.
create index company_names_company on company_names (company_id);

-- The lookups have got a parameter more.
drop function if exists company_of_hostnames(integer, text, text[], text[], bigint[]);
drop function if exists company_of_name(integer, text, text, text);

-- Stored names as normalizeName() writes them from now on, so that records that come again meet
-- their companies. It starts from what is stored: lower case, without punctuation but "&" and "+".
create function renormalized_name(p_name text) returns text language plpgsql immutable as $$
declare
  form constant text := '(?:limited liability (?:company|partnership)|limited partnership|'
    'societe en (?:nom collectif|commandite)|incorporated|incorporee|inc|limited|limitee|ltd|ltee|'
    'corporation|corp|company|compagnie|co|cie|lllp|llp|pllc|llc|lp|ulc|plc|pc|sa|sas|sarl|srl|sec|'
    'sencrl|senc|enr|gmbh|ag|kg|nv|bv|pty)';
  t text := normalize(regexp_replace(normalize(p_name, NFD), '[\u0300-\u036f]', '', 'g'), NFC);
begin
  t := trim(regexp_replace(replace(t, '&', ' & '), ' +', ' ', 'g'));
  t := regexp_replace(
    t, ' (s e n c r l|s e n c|l l l p|p l l c|l l c|l l p|u l c|p l c)$', ' | \1');
  t := regexp_replace(t, '(?<![^ ])([a-z]) (?=[a-z](?: |$))', '\1', 'g');
  t := replace(t, ' | ', ' ');
  t := regexp_replace(t, '(?<=[a-z]) s(?= |$)', 's', 'g');
  t := regexp_replace(t, ' (?:and|et)(?= )', ' &', 'g');
  t := regexp_replace(t, '^(?:(?:the|les) )+', '');
  if t !~ ('^(?:' || form || '|&)(?: (?:' || form || '|&))*$') then
    t := regexp_replace(t, '(?: (?:' || form || '|&))+$', '');
  end if;
  return coalesce(nullif(replace(t, ' & ', '&'), ''), p_name);
end $$;

with renamed as (
  delete from company_names where renormalized_name(normalized_name) <> normalized_name
  returning *
)
insert into company_names (source_id, normalized_name, country, company_id)
select source_id, renormalized_name(normalized_name), country, company_id from renamed
on conflict do nothing;

drop function renormalized_name(text);
--- 0007_source_refresh
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
--- 0008_acquisition
-- Sources that a search with a short first page may ask while its caller waits: words of the query
-- leave the house then, so it is the operator who says so.
alter table sources add column asked_in_searches boolean not null default false;
--- 0009_semantic_models
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
--- 0010_embeddings
-- What a model that runs elsewhere makes of observations: computed by workers, read by every replica.
create table embedding_models (
  id integer generated always as identity primary key,
  name text not null,
  -- How vectors are turned and rounded: others are computed anew.
  format integer not null,
  -- Null until the first vector is there.
  dimensions integer,
  -- All observations up to this place of the change sequence have been looked at.
  change_seq bigint not null default 0,
  observation_id bigint not null default 0,
  -- Of the last vectors: grows in the order of commits, since writers hold this row.
  stored_seq bigint not null default 0,
  -- When the change sequence had been walked to its end: from then on the model serves.
  ready_at timestamptz,
  lease_token uuid,
  leased_until timestamptz,
  constraint embedding_models_once unique (name, format),
  constraint embedding_models_lease check ((lease_token is null) = (leased_until is null)),
  constraint embedding_models_dimensions check (dimensions between 1 and 8192)
);

create table observation_embeddings (
  model_id integer not null references embedding_models,
  observation_id bigint not null references observations,
  -- Of the text: a revised observation has another one.
  content_key bytea not null,
  -- Eight bits a coordinate; times the scale, a vector of length 1. Null: the observation may not be
  -- shown, or the model has refused its text.
  vector bytea,
  scale real,
  stored_seq bigint not null,
  primary key (model_id, observation_id),
  constraint observation_embeddings_whole check ((vector is null) = (scale is null))
);

-- Replicas page by it: one write gives many rows the same stored_seq.
create index observation_embeddings_stored
  on observation_embeddings (model_id, stored_seq, observation_id);
--- 0011_forms_and_corrections
-- Two legal forms of one name are two companies, and what a source says of a register can be wrong.

-- legalFormOf() of the name: empty where it has none, and where it was stored before this column. A
-- company has a row for each form that it was given.
alter table company_names
  add column legal_form text not null default '',
  drop constraint company_names_pkey,
  add primary key (source_id, normalized_name, country, company_id, legal_form);

-- What merges wrote down of names, in the same terms.
update company_merges m set moved = jsonb_set(m.moved, '{names}', coalesce((
  select jsonb_agg(n || '{"legal_form": ""}' order by place)
  from jsonb_array_elements(m.moved -> 'names') with ordinality x (n, place)
), '[]'));

-- The identifiers that the record gives its company, or null: a company has one while one of its
-- observations gives it.
alter table observations add column company_identifiers text[];
update observations o set company_identifiers = i.given
from (
  select company_id, source_id, company_external_id,
    array_agg(scheme || ':' || value order by scheme) as given
  from company_identifiers
  group by 1, 2, 3
) i
where (o.company_id, o.source_id) = (i.company_id, i.source_id)
  and o.company_external_id is not distinct from i.company_external_id;

-- The one has a parameter more, the other a column.
drop function if exists company_of_name(integer, text, text[], text, text);
drop function if exists company_mentions(jsonb, bigint[], bigint[]);
--- 0012_embedding_upkeep
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
--- 0014_relisted_observations
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
--- 0015_texts_and_facets
-- A record has texts, which are searched and never shown, and facets beside its evidence. Evidence
-- keeps excerpts of at most 600 characters; what a longer one said is searched as a text.

alter table observations
  -- One text per language version. Empty: the excerpts are searched instead.
  add column texts text[] not null default '{}',
  -- Facts that the source states in columns or codes: see src/contract/facets.ts.
  add column facets jsonb not null default '{}';

-- Excerpts that are still to be cut: none but those that a program of the version before has written.
create index evidence_uncut on evidence (id) where length(excerpt) > 600;
--- 0016_company_join_names
-- Companies that two sources know by one name.

-- Statements of a source about a company that it has an identifier for. Companies of two sources
-- are joined by them. The rows go where the identifier goes (company_external_ids).
create table company_join_names (
  -- The normalized name without spaces and "&".
  join_name text not null,
  source_id integer not null,
  external_id text not null,
  legal_form text not null,
  -- The company is called so now. False for a name that it had before.
  is_current boolean not null,
  -- Many companies may be called so: the name is evidence only with a city and a kind of business.
  is_ordinary boolean not null,
  -- "US-CA" and "US-CA/santa clara"; "US" where a profile states no region.
  places text[] not null,
  -- NAICS sectors that the source states, and those that it only makes likely.
  sectors text[] not null,
  likely_sectors text[] not null,
  primary key (join_name, source_id, external_id),
  foreign key (source_id, external_id) references company_external_ids
);

-- Such a join is undone without an operator where a later record contradicts it.
alter table company_merges add column by_name boolean not null default false;
-- Whether a write has undone any is asked for each.
create index company_merges_undone_at on company_merges (undone_at) where undone_at is not null;

-- A mention has a member more.
drop function if exists company_mentions(jsonb, bigint[], bigint[]);
--- 0018_excerpt_length
-- Excerpts have at most 600 characters, also in the database. Where longer ones are left from an
-- earlier version, the constraint is added after these have been cut (limit_excerpts): before, it
-- would refuse to withdraw them.
do $$
begin
  if not exists (select from evidence e where length(e.excerpt) > 600) then
    alter table evidence add constraint evidence_excerpt_length check (length(excerpt) <= 600);
  end if;
end $$;

-- Statements of a company's identifier, to find every company that has one of its names.
create index company_join_names_company on company_join_names (source_id, external_id);
--- 0019_ready_pieces
-- Operations say themselves what settling and answering needs to know of their action, and shortlists
-- are lists of ids.

alter table operations
  -- What the entries are checked against again when they are settled. Null: nothing.
  add column filters jsonb,
  -- Whether the answer shows hostnames. Null: claimed by the last version, whose filters stand among
  -- the inputs.
  add column shows_hostnames boolean;

-- A shortlist is the companies of its entries, and lists that go together: an observation and the
-- place of its entry. body is left to what a page froze to go on from, and to shortlists of the last
-- version.
alter table shortlists
  alter column body drop not null,
  add column facts jsonb,
  add column company_ids bigint[],
  add column places integer[],
  add column observation_ids bigint[],
  add constraint shortlists_form check (num_nonnulls(body, company_ids) = 1),
  -- Compressing the lists and moving them out of the row costs several times the insert.
  alter column company_ids set storage external,
  alter column places set storage external,
  alter column observation_ids set storage external,
  set (toast_tuple_target = 8160);
