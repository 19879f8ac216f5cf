-- Reads the next message of background work, by turns of the accounts, and leases its operation, in
-- one statement. Returns null if no message is visible. Outcomes:
--   leased     The answer contains the data to perform the operation.
--   busy       Another process has the lease or has locked the row, or the operation is overdue and
--              waits for the sweep. The message is hidden for a back-off.
--   unknown    The message belongs to no unfinished operation. It is archived.
--   expired    The operation is a page whose shortlist is gone. It expires.
--   poison     The message has more than five counted reads, as many as a refresh may have
--              (READS_MAX, chosen). The operation fails, and the message is archived.
--
-- The queue increments read_ct with every read. Only reads that ended with a crash of the process
-- or with a failure of the work itself stay counted. The holder of an expired lease may be dead, or
-- unable to reach the database. In both cases its read stays counted.
--
-- If this statement fails, its read of the message is rolled back and does not count. If only its
-- answer is lost, the process gives the lease back by its token.
create or replace function take_operation(p_lease uuid, p_lease_seconds integer, p_now timestamptz)
returns json language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := coalesce(p_now, now());
  m pgmq.message_record;
  o operations;
  frozen jsonb;
  outcome text := 'leased';
begin
  -- The message stays hidden as long as the lease lasts. Otherwise another worker would read it,
  -- and find the operation busy.
  m := read_in_turn('operations', p_lease_seconds + 1);
  if m.msg_id is null then return null; end if;
  -- Every function that ends an operation deletes its message. The read has locked the message, so
  -- the operation stays unfinished until this transaction ends.
  select * into o from operations
  where message_id = m.msg_id and status in ('pending', 'processing');
  if not found then
    outcome := 'unknown';
    perform pgmq.archive('operations', m.msg_id);
  else
    perform from operations
    where id = o.id and deadline_at > at and (lease_expires_at is null or lease_expires_at <= at)
    for update skip locked;
    if not found then
      outcome := 'busy';
      perform queue_operation(o, back_off_seconds(o, at), false);
    elsif m.read_ct > 5 then
      outcome := 'poison';
      perform fail_operation(null, o.id, null, 'usage_failed', at);
    else
      select body into frozen from shortlists where operation_id = o.shortlist_id;
      -- A page without its shortlist cannot be delivered, because shortlists are not ranked again.
      if o.shortlist_id is not null and frozen is null then
        outcome := 'expired';
        perform expire_operation(o.id, at);
      else
        update operations set
          status = 'processing',
          lease_token = p_lease,
          lease_expires_at = at + make_interval(secs => p_lease_seconds)
        where id = o.id;
      end if;
    end if;
  end if;
  return json_build_object(
    'outcome', outcome,
    'message_id', m.msg_id,
    'read_ct', m.read_ct,
    'operation_id', o.id,
    'account_id', o.account_id,
    'action', o.action,
    'inputs', o.inputs,
    'frozen', frozen
  );
end $$;
