-- Turns synchronous operations with an expired lease into background work. Expires operations that
-- have passed their deadline, or that ended longer ago than the retention period. Each of these
-- three steps changes at most p_most operations. Locked rows are skipped, so sweeps of several
-- processes cannot deadlock. Returns the number of operations per step.
create or replace function sweep_operations(
  p_retention_days integer,
  p_most integer,
  p_now timestamptz
) returns json language plpgsql as $$
declare
  at timestamptz := coalesce(p_now, now());
  o operations;
  overdue integer;
  taken_over integer := 0;
  retired integer;
begin
  -- Locks the counters too, because an expiry changes them. While another transaction has locked
  -- those of a subscription, only its own overdue operations wait, for a later sweep.
  select count(expire_operation(id, at)) into overdue from unnest(array(
    select id from operations
    join allowances using (subscription_id)
    where status in ('pending', 'processing') and deadline_at <= at
    order by deadline_at
    limit p_most
    for update skip locked
  )) id;

  -- An expired lease without a message belonged to a synchronous request. Its process has died, or
  -- takes too long. If there is a message, the queue itself delivers it again.
  for o in
    update operations set status = 'pending', lease_token = null, lease_expires_at = null
    where id in (
      select id from operations
      where status = 'processing' and lease_expires_at <= at and message_id is null
      order by id
      limit p_most
      for update skip locked
    )
    returning *
  loop
    perform queue_operation(o, 0, true);
    taken_over := taken_over + 1;
  end loop;

  select count(expire_operation(id, at)) into retired from unnest(array(
    select id from operations
    where status in ('delivered', 'failed')
      and finished_at <= at - make_interval(days => p_retention_days)
    order by finished_at
    limit p_most
    for update skip locked
  )) id;

  return json_build_object('expired', overdue, 'taken_over', taken_over, 'retired', retired);
end $$;
