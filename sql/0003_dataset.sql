-- What is known: sources, companies, hostnames, observations and their evidence. Observations and
-- companies are never deleted. What may not be shown any more is marked, and deliverable_observations
-- leaves it out. A revision replaces an observation's evidence and observation_domains rows.

create table sources (
  id integer generated always as identity primary key,
  name text not null unique,
  permitted boolean not null default true,
  created_at timestamptz not null default now(),
  -- How often the source is asked for a hostname that it may know. Null: never.
  hostname_refresh_interval interval
    constraint sources_hostname_refresh_interval_positive
      check (hostname_refresh_interval > interval '0'),
  -- Where the source is asked instead of at its own address: a mirror, or a server of a test.
  address text,
  -- True if a search with a short first page may ask it while its caller waits. Words of the query
  -- leave the house then, so the operator decides.
  asked_in_searches boolean not null default false,
  -- {mapping, full_listing, header_variable} of an operator's own feed, at `address`. Null for a
  -- source that a reader of the program reads, or that only files bring.
  own_feed jsonb,
  constraint sources_own_feed_address check (own_feed is null or address is not null),
  constraint sources_name_length check (length(name) between 1 and 255)
);

-- What a source is asked for, how often, and how that goes. One process at a time works on a feed,
-- under a lease. A run that was cut short goes on where its checkpoint says.
create table source_feeds (
  id integer generated always as identity primary key,
  source_id integer not null references sources,
  -- A board, a CIK, a hostname. Empty if there is one thing to ask for.
  target text not null default '',
  -- {name, domains} of the company that the source's records leave out.
  company jsonb,
  refresh_interval interval not null,
  due_at timestamptz not null,
  lease_token uuid,
  leased_until timestamptz,
  -- {url, etag, last_modified} of the last answer that was read to its end. The next request asks
  -- whether anything has changed since.
  validators jsonb,
  -- The run that is not finished: when it began, what the dataset's clock said then (a record that
  -- it shows is recorded or seen later), and {request, requests, counts} of what is recorded already.
  run_started_at timestamptz,
  seen_after timestamptz,
  checkpoint jsonb,
  -- True if an operator believes the next complete run: what it does not show is gone, however much.
  believed boolean not null default false,
  -- Failures in a row since the last success.
  failures integer not null default 0,
  last_started_at timestamptz,
  last_succeeded_at timestamptz,
  last_outcome text,
  last_error text,
  last_counts jsonb,
  -- Accepted records of a full listing before it shrank. Null if the feed does not list everything.
  usual_records integer,
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

-- When a source was last asked for a hostname: at most one message in each interval.
create table hostname_refreshes (
  source_id integer not null references sources,
  hostname text not null,
  queued_at timestamptz not null,
  primary key (source_id, hostname)
);

create table companies (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now(),
  suppressed_at timestamptz,
  merged_into bigint references companies,
  constraint companies_name_length check (length(name) between 1 and 300),
  constraint companies_merged_elsewhere check (merged_into <> id)
);

-- How a source names a company: by its own identifier, and by name and country. The name beside
-- the identifier is the last one given with it. Only when that changes is the company renamed, so
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
  -- legalFormOf() of the name; empty if it has none. A company has a row for each form that it was
  -- given. Two legal forms of one name are two companies.
  legal_form text not null default '',
  -- The company is part of the key: two companies that a source tells apart may share a name.
  primary key (source_id, normalized_name, country, company_id, legal_form)
);
-- Merging takes all names of a company.
create index company_names_company on company_names (company_id);

-- What registers call companies. An identifier names one company, whichever source gives it, and a
-- company has one of each scheme. source_id and company_external_id are those of the first record
-- that gave it.
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
  -- "US-CA" and "US-CA/santa clara". "US" if a profile states no region.
  places text[] not null,
  -- NAICS sectors that the source states, and those that it only makes likely.
  sectors text[] not null,
  likely_sectors text[] not null,
  primary key (join_name, source_id, external_id),
  foreign key (source_id, external_id) references company_external_ids
);
-- Statements of a company's identifier, to find every company that has one of its names.
create index company_join_names_company on company_join_names (source_id, external_id);

-- One company that turned out to be another: all that it had belongs to the kept one until the merge
-- is undone. What was moved is written down, so that exactly that can be given back.
create table company_merges (
  id bigint generated always as identity primary key,
  kept_id bigint not null references companies,
  merged_id bigint not null references companies,
  -- An operator's words, or the identifier that said so.
  reason text not null,
  -- Source of the record that brought that identifier. Null if an operator merged.
  source_id integer references sources,
  merged_at timestamptz not null,
  undone_at timestamptz,
  observation_ids bigint[] not null,
  -- {external_ids: [{source_id, external_id, name}], identifiers: [{scheme, value}],
  --  names: [{source_id, normalized_name, country, legal_form, own}],
  --  domains: [{domain_id, active, own}]};
  -- own: the kept company had it by itself, and keeps it.
  moved jsonb not null,
  -- The kept one is suppressed for the merged one alone, and for others of which the same is true.
  suppressed boolean not null,
  -- A join by name is undone without an operator when a later record contradicts it.
  by_name boolean not null default false,
  constraint company_merges_two_companies check (kept_id <> merged_id),
  constraint company_merges_reason_length check (length(reason) between 1 and 500)
);
create index company_merges_into on company_merges (kept_id) where undone_at is null;
-- A company is merged once at a time.
create unique index company_merges_once on company_merges (merged_id) where undone_at is null;
-- Companies that an operator told apart: they are not merged again by themselves.
create index company_merges_undone on company_merges (kept_id, merged_id)
  where undone_at is not null;
-- Every write asks whether a merge was undone since.
create index company_merges_undone_at on company_merges (undone_at) where undone_at is not null;

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
  -- What the source calls the company in this record. Records that came after a merge are divided by
  -- it when the merge is undone. Null if the source gave nothing.
  company_external_id text,
  -- When a run of a source that lists everything no longer showed the record. A record that is seen
  -- again stands again. An operator's withdrawal is another matter: withdrawn_at.
  gone_at timestamptz,
  -- The identifiers that the record gives its company, or null. A company has an identifier while one
  -- of its observations gives it.
  company_identifiers text[],
  -- Texts are searched and never shown, one per language version. Empty: the excerpts are searched.
  texts text[] not null default '{}',
  -- Facts that the source states in columns or codes: see src/contract/facets.ts.
  facets jsonb not null default '{}',
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
-- A company's observations in the order in which they were recorded.
create index observations_company_recorded on observations (company_id, recorded_at, id);
-- Followers page by (change_seq, id): one write gives many rows the same change_seq.
create index observations_changes on observations (change_seq, id);
-- Expiry changes no row, so no walk of the change sequence comes by it.
create index observations_expiry on observations (expires_at, id) where expires_at is not null;

-- Which observations support a company's link to a hostname.
create table observation_domains (
  observation_id bigint not null references observations,
  domain_id bigint not null references domains,
  primary key (observation_id, domain_id)
);
-- From a hostname to its observations; the primary key serves the other way.
create index observation_domains_domain on observation_domains (domain_id);

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

create table evidence (
  id bigint generated always as identity primary key,
  observation_id bigint not null references observations,
  source_uri text not null,
  excerpt text not null,
  occurred_at timestamptz,
  observed_at timestamptz not null,
  withdrawn_at timestamptz,
  constraint evidence_excerpt_length check (length(excerpt) <= 600)
);
create index evidence_observation on evidence (observation_id, id);

-- Returns the form in which the spellings of an address are compared: scheme and host in lower case,
-- without the default port, and with a path. The fragment counts, because pages of sources have one
-- for each record. Two indexes depend on this function, so it never changes.
create function uri_key(p_uri text) returns text language sql immutable strict as $$
  select case when p_uri ~* '^(https?|ftp)://' then
    regexp_replace(
      lower(substring(p_uri from '^\w+://[^/?#]*')),
      '^(http:.*):80$|^(https:.*):443$|^(ftp:.*):21$', '\1\2\3')
    || regexp_replace(substring(p_uri from '^\w+://[^/?#]*(.*)$'), '^(?!/)', '/')
  else p_uri end
$$;

-- Withdrawal by address; hashed, since an address may be longer than a btree entry.
create index evidence_source_uri on evidence using hash (uri_key(source_uri));

-- A withdrawn address stays withdrawn, also in records that come later.
create table withdrawn_evidence_uris (
  id bigint generated always as identity primary key,
  source_uri text not null,
  withdrawn_at timestamptz not null default now()
);
create unique index withdrawn_evidence_uris_once
  on withdrawn_evidence_uris (md5(uri_key(source_uri)));

-- One row, locked by every write to the dataset until it commits. change_seq and recorded_at grow in
-- the order of commits, so a reader who has seen a value has seen all before it.
create table dataset_clock (
  only_row boolean primary key default true,
  change_seq bigint not null default 0,
  recorded_at timestamptz not null default '-infinity',
  -- Which dataset this is: an index that was saved for another one is refused.
  dataset_id uuid not null default gen_random_uuid(),
  -- Last moment of the previous write, which readers see until this write commits. Observations that
  -- are recorded later belong to this write.
  visible_at timestamptz not null default '-infinity',
  -- The last moment that an observation has got.
  taken_at timestamptz not null default '-infinity',
  constraint dataset_clock_one_row check (only_row)
);
insert into dataset_clock default values;
