-- Functions that end leases before their operations end.

-- Gives leases back: [{lease, operation_id, reason}]. The operations become background work.
--
-- The reason decides whether the read of the message counts (see lease_operation) and when the
-- message becomes visible again:
-- - failed: the work itself failed. The read counts. The message is visible after 2 seconds.
-- - unavailable: the database did not answer in time. The read does not count. The message is
--   visible after a back-off.
-- - unseen: the answer of the statement that took the lease was lost. The read does not count. The
--   message is visible at once.
--
-- Another reader may have overtaken a lease that has expired meanwhile. Then the operation stays
-- with the new reader, and only the read of the old lease is uncounted, unless the work failed.
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
      outcomes := outcomes
        || jsonb_build_object(l.lease, forget_overtaken(l.lease, l.operation_id, l.reason));
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
-- stay counted, because the work itself may have ended the process. A holder that is still alive
-- uncounts its read (give_back_leases). Returns the number of operations.
create or replace function end_leases() returns integer language plpgsql as $$
declare
  o operations;
  ended integer := 0;
begin
  for o in select * from operations where status = 'processing' for update loop
    perform note_overtaken(o.message_id, o.lease_token);
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

-- Notes in a message that its lease ended while a process may still have held it. The message lists
-- these leases under `overtaken`. Until the message is deleted, each of them can uncount its read
-- once.
create or replace function note_overtaken(p_message_id bigint, p_lease uuid)
returns void language plpgsql as $$
begin
  update pgmq.q_operations set message = message || jsonb_build_object(
    'overtaken', coalesce(message -> 'overtaken', '[]') || to_jsonb(p_lease))
  where msg_id = p_message_id and jsonb_typeof(message) = 'object';
end $$;

-- Uncounts the read of an overtaken lease, unless the work itself failed. Returns an outcome of
-- give_back_leases. A process that lost the answer of its read does not know the operation. In that
-- case, all messages with a counted read are searched, because each noted lease has a counted read.
create or replace function forget_overtaken(p_lease uuid, p_operation_id bigint, p_reason text)
returns text language plpgsql as $$
declare
  noted_id bigint;
begin
  if p_operation_id is null then
    select msg_id into noted_id from pgmq.q_operations
    where read_ct > 0 and message -> 'overtaken' ? p_lease::text;
  else
    select q.msg_id into noted_id
    from operations o
    join pgmq.q_operations q on q.msg_id = o.message_id
    where o.id = p_operation_id and q.message -> 'overtaken' ? p_lease::text;
  end if;
  if not found then return 'unknown'; end if;
  perform from pgmq.q_operations where msg_id = noted_id for update skip locked;
  if not found then return 'locked'; end if;
  update pgmq.q_operations set
    message = jsonb_set(message, '{overtaken}', (message -> 'overtaken') - p_lease::text),
    read_ct = greatest(read_ct - case when p_reason = 'failed' then 0 else 1 end, 0)
  where msg_id = noted_id and message -> 'overtaken' ? p_lease::text;
  return 'given_back';
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
