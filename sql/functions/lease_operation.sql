-- Background work: who may perform an operation, and for how long.

-- Takes the lease of the operation that a message names. Outcomes: `leased` with what perform
-- needs; `busy` while another holds it (the message waits until that lease ends); `finished`, where
-- there is nothing left to do and the message is deleted; `poison` where the message was read more
-- than five times: the operation fails, the message is archived.
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
  select * into o from operations where id = p_operation_id for update;
  if not found or o.finished_at is not null or o.message_id is distinct from p_message_id then
    perform pgmq.delete('operations', p_message_id);
    return json_build_object('outcome', 'finished');
  end if;
  if o.status = 'processing' and o.lease_expires_at > at then
    perform pgmq.set_vt('operations', p_message_id,
      greatest(1, ceil(extract(epoch from o.lease_expires_at - at)))::integer);
    return json_build_object('outcome', 'busy');
  end if;
  if p_read_count > 5 then
    perform fail_operation(o.id, null, 'usage_failed', at);
    return json_build_object('outcome', 'poison');
  end if;
  select body into frozen from shortlists where operation_id = o.shortlist_id;
  -- A page whose shortlist is gone cannot be cut any more, and nothing is ranked again for it.
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
  -- The message stays hidden for as long as the lease holds: no read is spent on finding it busy.
  perform pgmq.set_vt('operations', p_message_id, p_lease_seconds + 1);
  return json_build_object(
    'outcome', 'leased',
    'operation_id', o.id,
    'action', o.action,
    'inputs', o.inputs,
    'shortlist', frozen
  );
end $$;

-- Gives a lease back: a stopping process, or one that could not go on. The operation becomes
-- background work that the next reader takes. Returns whether the lease was still held.
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

-- Makes an operation's message readable after a delay; sends one where it never had one.
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
