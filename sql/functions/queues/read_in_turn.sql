-- Reads the next message of a queue, and hides it for a number of seconds. Accounts take turns: the
-- message is the oldest visible one of the account whose last turn is longest ago. A message
-- without an account is read like that of an account that has had no turn yet. Returns a row of
-- nulls if no message is visible.
--
-- A message that another process reads at the same moment is skipped.
create or replace function read_in_turn(p_queue text, p_visibility_seconds integer)
returns pgmq.message_record language plpgsql as $$
declare
  m pgmq.message_record;
begin
  execute format($query$
    with next as (
      select q.msg_id
      from pgmq.%1$I q
      left join queue_turns t
        on t.queue = $1 and t.account_id = (q.headers ->> 'account_id')::bigint
      where q.vt <= clock_timestamp()
      order by t.taken_at nulls first, q.msg_id
      limit 1
      for update of q skip locked
    )
    update pgmq.%1$I q set
      last_read_at = clock_timestamp(),
      vt = clock_timestamp() + make_interval(secs => $2),
      read_ct = q.read_ct + 1
    from next
    where q.msg_id = next.msg_id
    returning q.msg_id, q.read_ct, q.enqueued_at, q.last_read_at, q.vt, q.message, q.headers
  $query$, 'q_' || p_queue) into m using p_queue, p_visibility_seconds;
  if m.headers ? 'account_id' then
    insert into queue_turns (queue, account_id, taken_at)
    values (p_queue, (m.headers ->> 'account_id')::bigint, clock_timestamp())
    on conflict (queue, account_id) do update set taken_at = excluded.taken_at;
  end if;
  return m;
end $$;

-- Returns the headers of a message, by which its account takes turns with others.
create or replace function headers_of(p_account_id bigint) returns jsonb
language sql immutable as $$
  select case when p_account_id is not null then jsonb_build_object('account_id', p_account_id) end
$$;
