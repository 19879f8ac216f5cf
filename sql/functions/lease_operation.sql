-- Leases operations for background work.

-- Takes the lease of the operation that a message names. p_read_count is the message's read_ct, this
-- read included. Outcomes:
--   leased     with what perform needs;
--   busy       another process holds it, and the message waits until that lease ends;
--   postponed  its rows are locked: the message is tried again after a back-off;
--   finished   there is nothing left to do, and the message is deleted;
--   missing    there is no such operation, and the message goes to the archive;
--   poison     the message was read more than five times: the operation fails, and the message goes
--              to the archive.
--
-- read_ct counts the reads that ended by a crash of the process or by a failure of the work itself.
-- A read that ended because of the database does not count. This function takes it back if it meets
-- a lock, and give_back_leases if perform or settle met a fault. A crash leaves the count as it is,
-- without any action of the process that died.
--
-- A lease that has run out may be that of a dead process, or of one that cannot reach the database.
-- Whoever overtakes it notes it in the message, so that a living process takes its read back later.
--
-- One locked subscription costs a worker one short wait per back-off: all of its messages are put
-- off together.
create or replace function lease_operation(
  p_message_id bigint,
  p_read_count integer,
  p_operation_id bigint,
  p_lease uuid,
  p_lease_seconds integer,
  p_now timestamptz
) returns json language plpgsql as $$
declare
  at timestamptz := coalesce(p_now, now());
  o operations;
  frozen jsonb;
begin
  select * into o from operations where id = p_operation_id for update skip locked;
  if not found then
    select * into o from operations where id = p_operation_id;
    if found then
      perform pgmq.set_vt('operations', p_message_id, back_off_seconds(o, at));
      perform uncount_read(p_message_id);
      return json_build_object('outcome', 'postponed');
    end if;
    perform pgmq.archive('operations', p_message_id);
    return json_build_object('outcome', 'missing');
  end if;
  if o.finished_at is not null or o.message_id is distinct from p_message_id then
    perform pgmq.delete('operations', p_message_id);
    return json_build_object('outcome', 'finished');
  end if;
  if o.status = 'processing' and o.lease_expires_at > at then
    perform pgmq.set_vt('operations', p_message_id,
      greatest(1, ceil(extract(epoch from o.lease_expires_at - at)))::integer);
    -- The message became visible early. The work has not failed.
    perform uncount_read(p_message_id);
    return json_build_object('outcome', 'busy');
  end if;
  -- Every way to end an operation needs this row. A worker that finds it locked gives up after 250
  -- ms.
  if not lock_allowance(o.subscription_id) then
    perform pgmq.set_vt('operations', p_message_id, back_off_seconds(o, at));
    perform uncount_read(p_message_id);
    perform postpone_messages(o.subscription_id, back_off_seconds(o, at));
    return json_build_object('outcome', 'postponed');
  end if;
  if p_read_count > 5 then
    perform fail_operation(o.id, null, 'usage_failed', at);
    return json_build_object('outcome', 'poison');
  end if;
  select frozen_page(s) into frozen from shortlists s where operation_id = o.shortlist_id;
  -- A page without its shortlist cannot be cut any more, and nothing is ranked again for it.
  if o.deadline_at <= at or (o.shortlist_id is not null and frozen is null) then
    perform expire_operation(o.id, at);
    return json_build_object('outcome', 'finished');
  end if;
  if o.status = 'processing' then perform note_overtaken(p_message_id, o.lease_token); end if;
  update operations set
    status = 'processing',
    lease_token = p_lease,
    lease_expires_at = at + make_interval(secs => p_lease_seconds)
  where id = o.id
  returning * into o;
  -- The message stays hidden as long as the lease lasts, so that no read finds it busy.
  perform pgmq.set_vt('operations', p_message_id, p_lease_seconds + 1);
  return json_build_object(
    'outcome', 'leased',
    'operation_id', o.id,
    'account_id', o.account_id,
    'action', o.action,
    'inputs', o.inputs,
    'shortlist', frozen
  );
end $$;

-- Hides visible messages of a subscription for a number of seconds from now on. The number of
-- messages is bounded. Messages in progress at another process are not changed.
create or replace function postpone_messages(p_subscription_id bigint, p_seconds integer)
returns void language plpgsql as $$
begin
  update pgmq.q_operations set vt = clock_timestamp() + make_interval(secs => p_seconds)
  where msg_id in (
    select q.msg_id
    from operations o
    join pgmq.q_operations q on q.msg_id = o.message_id
    where o.subscription_id = p_subscription_id
      and o.status = 'pending'
      and q.vt < clock_timestamp() + make_interval(secs => p_seconds)
    limit 1000
    for update of q skip locked
  );
end $$;

-- Gives a lease back. The operation becomes background work that the next reader takes. Returns
-- whether the lease was still held. Processes of this version call give_back_leases instead. Those
-- of the last version, which run beside them during an upgrade, call this function.
create or replace function release_operation(p_operation_id bigint, p_lease uuid, p_delay_seconds integer)
returns boolean language plpgsql as $$
declare
  o operations;
begin
  update operations set status = 'pending', lease_token = null, lease_expires_at = null
  where id = p_operation_id and status = 'processing' and lease_token = p_lease
  returning * into o;
  if not found then return false; end if;
  perform queue_operation(o, p_delay_seconds);
  return true;
end $$;

-- Makes an operation's message readable after a delay. Sends a message if there never was one.
create or replace function queue_operation(o operations, p_delay_seconds integer)
returns void language plpgsql as $$
begin
  if o.message_id is not null then
    perform pgmq.set_vt('operations', o.message_id, p_delay_seconds);
  else
    update operations set message_id = (
      select pgmq.send('operations', jsonb_build_object('operation_id', o.id), p_delay_seconds)
    ) where id = o.id;
  end if;
end $$;
