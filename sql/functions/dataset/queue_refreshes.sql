-- Queues hostnames for a refresh from each permitted source that has a hostname_refresh_interval.
-- Within that interval, at most one message {source, hostname} per source and hostname is sent. An
-- account has at most 200 messages in the queue, as many as two full listings have hostnames. The
-- other hostnames are queued by a later request. Settlements at the same moment may exceed the
-- number by one listing each.
create or replace function queue_refreshes(
  p_account_id bigint,
  p_hostnames text[],
  p_at timestamptz
) returns void language sql as $$
  with due as (
    insert into hostname_refreshes as h (source_id, hostname, queued_at)
    select s.id, t.hostname, p_at
    from sources s
    cross join unnest(p_hostnames) t (hostname)
    where s.permitted and s.hostname_refresh_interval is not null
      and not exists (
        select from hostname_refreshes r
        where r.source_id = s.id and r.hostname = t.hostname
          and r.queued_at + s.hostname_refresh_interval > p_at
      )
    -- All settlements use the same order, so that settlements with the same hostnames do not
    -- deadlock.
    order by s.id, t.hostname
    limit greatest(0, 200 - (
      select count(*) from pgmq.q_refreshes where headers @> headers_of(p_account_id)
    ))
    on conflict (source_id, hostname) do update set queued_at = excluded.queued_at
    where h.queued_at + (
      select s.hostname_refresh_interval from sources s where s.id = h.source_id
    ) <= excluded.queued_at
    returning h.source_id, h.hostname
  )
  select pgmq.send('refreshes', jsonb_build_object('source', s.name, 'hostname', due.hostname),
    headers_of(p_account_id))
  from due
  join sources s on s.id = due.source_id
$$;

-- Removes up to p_most notes of hostnames whose interval has passed, or whose source is no longer
-- asked for hostnames. They would not delay a new message. Returns the number of removed notes.
create or replace function remove_old_refreshes(p_most integer, p_now timestamptz)
returns integer language plpgsql as $$
declare
  removed integer;
begin
  delete from hostname_refreshes where (source_id, hostname) in (
    select h.source_id, h.hostname
    from hostname_refreshes h
    join sources s on s.id = h.source_id
    where s.hostname_refresh_interval is null
      or h.queued_at + s.hostname_refresh_interval <= coalesce(p_now, now())
    limit p_most
    for update of h skip locked
  );
  get diagnostics removed = row_count;
  return removed;
end $$;
