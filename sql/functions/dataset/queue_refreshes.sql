-- Queues hostnames for a refresh from each permitted source that has a hostname_refresh_interval.
-- Within that interval, at most one message {source, hostname} per source and hostname is sent.
create or replace function queue_refreshes(p_hostnames text[], p_at timestamptz)
returns void language sql as $$
  with due as (
    insert into hostname_refreshes as h (source_id, hostname, queued_at)
    select s.id, t.hostname, p_at
    from sources s
    cross join unnest(p_hostnames) t (hostname)
    where s.permitted and s.hostname_refresh_interval is not null
    -- All settlements use the same order, so that settlements with the same hostnames do not
    -- deadlock.
    order by s.id, t.hostname
    on conflict (source_id, hostname) do update set queued_at = excluded.queued_at
    where h.queued_at + (
      select s.hostname_refresh_interval from sources s where s.id = h.source_id
    ) <= excluded.queued_at
    returning h.source_id, h.hostname
  )
  select pgmq.send('refreshes', jsonb_build_object('source', s.name, 'hostname', due.hostname))
  from due
  join sources s on s.id = due.source_id
$$;
