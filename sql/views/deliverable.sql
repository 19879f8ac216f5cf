-- Views of the observations and hostnames that may be shown.

-- deliverable_observations defines an observation that may be shown. Every answer uses this view;
-- indexes and refreshes test parts of the definition beforehand, to save work. Such an
-- observation has a permitted source, a company that is not suppressed, and evidence that is not
-- withdrawn. It is not withdrawn, expired or gone itself. The view has two parts, shown_companies
-- and standing_observations, because a settlement looks up each company once for all of its
-- observations.

-- Companies whose observations may be shown.
create or replace view shown_companies as
select c.id, c.name
from companies c
where c.suppressed_at is null;

-- Observations that may be shown if their company may be shown. The few sources that are not
-- permitted are read once per statement. With a join, every observation would look up its source.
create or replace view standing_observations as
select
  o.id,
  o.source_id,
  o.company_id,
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
where o.source_id <> all (array(select s.id from sources s where not s.permitted))
  and o.withdrawn_at is null
  and o.gone_at is null
  and (o.expires_at is null or o.expires_at > now())
  and exists (
    select from evidence e where e.observation_id = o.id and e.withdrawn_at is null
  );

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
from standing_observations o
join shown_companies c on c.id = o.company_id;

-- Hostnames of companies. Each row has an active link and a deliverable observation that supports
-- it.
create or replace view deliverable_domains as
select cd.company_id, cd.domain_id, d.hostname, o.id as observation_id
from company_domains cd
join domains d on d.id = cd.domain_id
join observation_domains od on od.domain_id = cd.domain_id
join deliverable_observations o on o.id = od.observation_id and o.company_id = cd.company_id
where cd.active;

