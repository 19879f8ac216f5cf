-- Functions that give writes and observations their moments.

-- Advances the dataset to its next moment. Every write to the dataset calls this first. The row
-- stays locked until commit, so writers follow one another, and change_seq and recorded_at grow in
-- commit order.
create or replace function advance_dataset_clock(out change_seq bigint, out recorded_at timestamptz)
language sql as $$
  update dataset_clock c
  set change_seq = c.change_seq + 1,
    visible_at = c.recorded_at,
    taken_at = c.recorded_at,
    -- Later than every earlier moment, even if the server's clock was set back.
    recorded_at = greatest(
      date_trunc('milliseconds', clock_timestamp()),
      c.recorded_at + interval '1 millisecond'
    )
  returning c.change_seq, c.recorded_at
$$;

-- Reserves p_count moments of one microsecond each for the current write, and returns the moment
-- before the first one. Each observation has a different moment, so a listing can stop after any
-- observation. The clock is set to the last reserved moment, which is a whole millisecond. After
-- many reservations within a short time, the clock is therefore ahead of the real time.
create or replace function take_moments(p_count bigint) returns timestamptz language sql as $$
  update dataset_clock c
  set recorded_at = next.moment, taken_at = next.moment
  from (
    select greatest(d.recorded_at, d.taken_at + ceil(p_count / 1000.0) * interval '1 millisecond')
      as moment
    from dataset_clock d
  ) next
  returning next.moment - p_count * interval '1 microsecond'
$$;

-- Functions that give observations a new recorded_at. record_again does so for all hostnames,
-- relist_observations only for the hostnames that a company gains. The callers lock the dataset's
-- clock. The new recorded_at lies after everything that a poller has read. The poller therefore
-- also finds observations that become visible to it late.

-- Gives observations a new recorded_at for all hostnames, in their former order. Marks them as
-- changed, so that the indexes of processes read them again.
create or replace function record_again(p_ids bigint[]) returns void language plpgsql as $$
declare
  after timestamptz := take_moments(cardinality(p_ids));
begin
  update observations o set
    recorded_at = after + again.number * interval '1 microsecond',
    change_seq = clock.change_seq
  from dataset_clock clock, (
    select f.id, row_number() over (order by f.recorded_at, f.id) as number
    from observations f
    where f.id = any(p_ids)
  ) again
  where o.id = again.id;
end $$;

-- Lists the observations of companies again under hostnames that the companies gain by this write.
-- p_company_ids and p_domain_ids are the links between companies and hostnames that the write
-- touches. A link is not gained if an observation from before this write still supports it. For a
-- gained link, only the company's earlier observations are listed again, because the observations
-- of this write have a new recorded_at anyway.
--
-- Readers judge expiry by the time of their read, and see this write only after its commit. Support
-- that expires within an hour therefore does not count. No write takes that long.
--
-- The settings make PostgreSQL look up each link row by row, with a plan for the present sizes of
-- the tables. Joins of whole tables, or a plan for formerly small tables, would halve the speed of
-- an ingest.
create or replace function relist_observations(p_company_ids bigint[], p_domain_ids bigint[])
returns void language plpgsql
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  clock dataset_clock;
  ids bigint[];
  domain_ids bigint[];
  after timestamptz;
begin
  select * into clock from dataset_clock;
  with gained as materialized (
    select link.company_id, link.domain_id
    from (
      select distinct t.company_id, t.domain_id
      from unnest(p_company_ids, p_domain_ids) t (company_id, domain_id)
    ) link
    where exists (
      select from observations o
      where o.company_id = link.company_id and o.recorded_at <= clock.visible_at
      offset 0
    ) and not exists (
      select from observation_domains od
      join deliverable_observations o on o.id = od.observation_id
      join company_domains cd on cd.domain_id = od.domain_id and cd.company_id = o.company_id
      where od.domain_id = link.domain_id
        and o.company_id = link.company_id
        and cd.active
        and o.recorded_at <= clock.visible_at
        and (o.expires_at is null or o.expires_at > clock.recorded_at + interval '1 hour')
      offset 0
    )
  )
  select
    array_agg(o.id order by o.recorded_at, o.id, gained.domain_id),
    array_agg(gained.domain_id order by o.recorded_at, o.id, gained.domain_id)
  into ids, domain_ids
  from gained
  join deliverable_observations o on o.company_id = gained.company_id
  where o.recorded_at <= clock.visible_at;
  if ids is null then return; end if;

  after := take_moments(cardinality(ids));
  insert into relisted_observations as r (domain_id, observation_id, recorded_at)
  select a.domain_id, a.id, after + a.number * interval '1 microsecond'
  from unnest(ids, domain_ids) with ordinality a (id, domain_id, number)
  on conflict (domain_id, observation_id) do update set recorded_at = excluded.recorded_at;
end $$;

-- Calls relist_observations for the hostnames that the records at p_places give the companies of
-- p_company_ids. The caller writes the records afterwards, because the observations that they
-- revise have to support their earlier hostnames during this call.
create or replace function relist_given(
  p_records jsonb,
  p_places bigint[],
  p_company_ids bigint[]
) returns void language plpgsql as $$
declare
  company_ids bigint[];
  domain_ids bigint[];
begin
  select array_agg(w.company_id), array_agg(d.id) into company_ids, domain_ids
  from rows from (
    jsonb_to_recordset(p_records) as (hostnames text[])
  ) with ordinality r (hostnames, place)
  join unnest(p_places, p_company_ids) w (place, company_id) on w.place = r.place
  cross join lateral unnest(r.hostnames) h (hostname)
  join domains d on d.hostname = h.hostname;
  perform relist_observations(company_ids, domain_ids);
end $$;
