-- Functions that make background work of operations.

-- Makes an operation's message readable after a delay. Sends a message if there is none. If the last
-- read of the message does not count toward poison, its count is undone (see take_operation).
create or replace function queue_operation(
  o operations,
  p_delay_seconds integer,
  p_read_counts boolean
) returns void language plpgsql as $$
begin
  update pgmq.q_operations set
    vt = clock_timestamp() + make_interval(secs => p_delay_seconds),
    read_ct = case when p_read_counts then read_ct else greatest(read_ct - 1, 0) end
  where msg_id = o.message_id;
  if found then return; end if;
  update operations set message_id = (
    select pgmq.send('operations', jsonb_build_object('operation_id', o.id),
      headers_of(o.account_id), p_delay_seconds)
  ) where id = o.id;
end $$;

-- Returns the number of seconds until work that waits for the database is retried. The number is a
-- quarter of the operation's age in seconds, between 1 and 5, so that the waits grow.
create or replace function back_off_seconds(o operations, p_at timestamptz)
returns integer language sql immutable as $$
  select least(5, greatest(1, extract(epoch from p_at - o.claimed_at) / 4))::integer
$$;
