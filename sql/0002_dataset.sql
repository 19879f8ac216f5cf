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
