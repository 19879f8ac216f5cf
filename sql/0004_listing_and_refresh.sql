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
