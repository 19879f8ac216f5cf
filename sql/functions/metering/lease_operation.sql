-- Functions that lease operations for background work.

-- Takes the lease of the operation that a message names. p_read_count is the message's read_ct,
-- including this read. Outcomes:
--   leased     The answer contains the data to perform the operation.
--   busy       Another process has the lease. The message is hidden until that lease ends.
--   postponed  The operation's rows are locked. The message is hidden for a back-off.
--   finished   The operation has ended. The message is deleted.
--   missing    There is no such operation. The message is archived.
--   poison     The message has more than five counted reads. The operation fails, and the message
--              is archived.
--
-- The queue increments read_ct with every read. Only reads that ended with a crash of the process
-- or with a failure of the work itself stay counted. A read that ended because of the database does
-- not stay counted. This function uncounts it if it meets a lock. give_back_leases uncounts it if
-- the database failed during the work or the settlement.
--
-- The holder of an expired lease may be dead, or unable to reach the database. In both cases its
-- read stays counted.
--
-- A locked subscription costs a worker only one short wait per back-off, because all messages of
-- the subscription are postponed together.
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
    -- The message became visible before the lease ended. The work has not failed.
    perform uncount_read(p_message_id);
    return json_build_object('outcome', 'busy');
  end if;
  -- Every function that ends an operation locks the allowance's row. If another transaction has
  -- locked the row, the worker gives up after 250 ms.
  if not lock_allowance(o.subscription_id) then
    perform pgmq.set_vt('operations', p_message_id, back_off_seconds(o, at));
    perform uncount_read(p_message_id);
    perform postpone_messages(o.subscription_id, back_off_seconds(o, at));
    return json_build_object('outcome', 'postponed');
  end if;
  if p_read_count > 5 then
    perform fail_operation(null, o.id, null, 'usage_failed', at);
    return json_build_object('outcome', 'poison');
  end if;
  select body into frozen from shortlists where operation_id = o.shortlist_id;
  -- A page without its shortlist cannot be delivered, because shortlists are not ranked again.
  if o.deadline_at <= at or (o.shortlist_id is not null and frozen is null) then
    perform expire_operation(o.id, at);
    return json_build_object('outcome', 'finished');
  end if;
  update operations set
    status = 'processing',
    lease_token = p_lease,
    lease_expires_at = at + make_interval(secs => p_lease_seconds)
  where id = o.id
  returning * into o;
  -- The message stays hidden as long as the lease lasts. Otherwise another worker would read it,
  -- and find the operation busy.
  perform pgmq.set_vt('operations', p_message_id, p_lease_seconds + 1);
  return json_build_object(
    'outcome', 'leased',
    'operation_id', o.id,
    'account_id', o.account_id,
    'action', o.action,
    'inputs', o.inputs,
    'frozen', frozen
  );
end $$;

-- Hides up to 1000 messages of a subscription for a number of seconds from now on. Messages of
-- operations that another process performs are not changed.
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

-- Makes an operation's message readable after a delay. Sends a message if there never was one.
create or replace function queue_operation(o operations, p_delay_seconds integer)
returns void language plpgsql as $$
begin
  if o.message_id is not null then
    perform pgmq.set_vt('operations', o.message_id, p_delay_seconds);
  else
    update operations set message_id = (
      select pgmq.send('operations', jsonb_build_object('operation_id', o.id),
        headers_of(o.account_id), p_delay_seconds)
    ) where id = o.id;
  end if;
end $$;
