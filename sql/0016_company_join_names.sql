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
