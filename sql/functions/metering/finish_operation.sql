-- Functions that end an operation without a delivery.

-- Marks an operation as failed, if p_lease is its lease. Nothing is charged, and its reservation is
-- released. p_lease is null if its message is poison. Such a message is archived for the operator,
-- any other message is deleted. Returns the answer of settle_operation: `settled` or `overtaken`.
create or replace function fail_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_lease uuid,
  p_code text,
  p_now timestamptz
) returns json language plpgsql as $$
declare
  at timestamptz := coalesce(p_now, now());
  o operations;
begin
  update operations set
    status = 'failed',
    finished_at = at,
    lease_token = null,
    lease_expires_at = null,
    failure_code = p_code,
    -- The inputs are no longer needed, except by an operator who examines an archived message.
    inputs = case when p_lease is null then inputs end
  where id = p_operation_id
    and status in ('pending', 'processing')
    and (p_lease is null or lease_token = p_lease)
  returning * into o;
  if not found then return overtaken_answer(p_operation_id, p_key_hash, at); end if;
  if p_lease is null then perform pgmq.archive('operations', o.message_id); end if;
  perform release_operation(o);
  return present_operation('settled', o, caller_of_key(p_key_hash, at), at);
end $$;

-- Marks an operation as expired that was not finished by its deadline, or that ended longer ago than
-- the retention period. Units of delivered work stay settled. The row remains, so that its
-- request key stays used.
create or replace function expire_operation(p_operation_id bigint, p_at timestamptz)
returns operations language plpgsql as $$
declare
  unfinished boolean;
  o operations;
begin
  select * into strict o from operations where id = p_operation_id for update;
  if o.status = 'expired' then return o; end if;
  unfinished := o.finished_at is null;
  delete from shortlists where operation_id = o.id;
  update operations set
    status = 'expired',
    finished_at = coalesce(finished_at, p_at),
    lease_token = null,
    lease_expires_at = null,
    inputs = null,
    result = null,
    next_cursor = null,
    next_position = null
  where id = o.id
  returning * into o;
  if unfinished then perform release_operation(o); end if;
  return o;
end $$;
