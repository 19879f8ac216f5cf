-- Functions that end leases before their operations end.

-- Gives leases back: [{lease, operation_id, reason}]. The operations become background work.
--
-- The reason decides whether the read of the message counts (see lease_operation) and when the
-- message becomes visible again:
-- - failed: the work itself failed. The read counts. The message is visible after 2 seconds.
-- - unavailable: the database did not answer in time, or the worker cannot perform the action at
--   present. The read does not count. The message is visible after a back-off.
-- - unseen: the answer of the statement that took the lease was lost. The read does not count. The
--   message is visible at once.
--
-- A lease that another process has replaced meanwhile is unknown. Its read stays counted, as if its
-- process had crashed.
--
-- operation_id is null if the process does not know it. Returns an outcome per lease: `given_back`,
-- `unknown` (no operation has the lease, or not yet), or `locked` (the call has to be repeated).
create or replace function give_back_leases(p_leases jsonb, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  at timestamptz := coalesce(p_now, now());
  l record;
  held_id bigint;
  o operations;
  outcomes jsonb := '{}';
begin
  for l in
    select r.lease, r.operation_id, r.reason
    from jsonb_to_recordset(p_leases) r (lease uuid, operation_id bigint, reason text)
  loop
    -- Each of the two statements finds its row by an index.
    if l.operation_id is null then
      select id into held_id from operations where status = 'processing' and lease_token = l.lease;
    else
      select id into held_id from operations
      where id = l.operation_id and status = 'processing' and lease_token = l.lease;
    end if;
    if not found then
      outcomes := outcomes || jsonb_build_object(l.lease, 'unknown');
      continue;
    end if;
    -- A locked row is left to the next call, so that it does not delay the other leases.
    perform from operations where id = held_id for update skip locked;
    if not found then
      outcomes := outcomes || jsonb_build_object(l.lease, 'locked');
      continue;
    end if;
    update operations set status = 'pending', lease_token = null, lease_expires_at = null
    where id = held_id and status = 'processing' and lease_token = l.lease
    returning * into o;
    if not found then
      outcomes := outcomes || jsonb_build_object(l.lease, 'unknown');
      continue;
    end if;
    perform queue_operation(o, case l.reason
      when 'failed' then 2
      when 'unavailable' then back_off_seconds(o, at)
      else 0
    end);
    if l.reason <> 'failed' then perform uncount_read(o.message_id); end if;
    outcomes := outcomes || jsonb_build_object(l.lease, 'given_back');
  end loop;
  return outcomes;
end $$;

-- Ends every lease. A process calls this when it has just opened the embedded database. That
-- database belongs to one process, so the holders of earlier leases are dead or have lost their
-- connection. A holder that is still alive cannot settle under its old lease. The reads of messages
-- stay counted, because the work itself may have ended the process. Returns the number of operations.
create or replace function end_leases() returns integer language plpgsql as $$
declare
  o operations;
  ended integer := 0;
begin
  for o in select * from operations where status = 'processing' for update loop
    update operations set status = 'pending', lease_token = null, lease_expires_at = null
    where id = o.id;
    perform queue_operation(o, 0);
    ended := ended + 1;
  end loop;
  update source_feeds set lease_token = null, leased_until = null where lease_token is not null;
  update embedding_models set lease_token = null, leased_until = null
  where lease_token is not null;
  return ended;
end $$;

-- Undoes the count of the last read of an operation's message.
create or replace function uncount_read(p_message_id bigint) returns void language plpgsql as $$
begin
  update pgmq.q_operations set read_ct = greatest(read_ct - 1, 0) where msg_id = p_message_id;
end $$;

-- Returns the number of seconds until work that waits for the database is retried. The number is a
-- quarter of the operation's age in seconds, between 1 and 5, so that the waits grow.
create or replace function back_off_seconds(o operations, p_at timestamptz)
returns integer language sql immutable as $$
  select least(5, greatest(1, extract(epoch from p_at - o.claimed_at) / 4))::integer
$$;
