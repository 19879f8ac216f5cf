-- Reads the next message of background work, by turns of the accounts, and leases its operation, in
-- one statement.
--
-- If this statement fails, its read of the message is rolled back and does not count. If only its
-- answer is lost, the process gives the lease back by its token.
--
-- Returns null if no message is visible. Otherwise `leased` is the answer of lease_operation, or
-- `unreadable` for a message that names no operation. Such a message is archived.
create or replace function take_operation(p_lease uuid, p_lease_seconds integer, p_now timestamptz)
returns json language plpgsql as $$
declare
  m pgmq.message_record;
  operation_id bigint;
  leased json;
begin
  -- The message stays hidden as long as the lease lasts. Otherwise another worker would read it,
  -- and find the operation busy.
  m := read_in_turn('operations', p_lease_seconds + 1);
  if m.msg_id is null then return null; end if;
  operation_id := named_operation(m.message);
  if operation_id is null then
    perform pgmq.archive('operations', m.msg_id);
    leased := json_build_object('outcome', 'unreadable');
  else
    leased := lease_operation(
      m.msg_id, m.read_ct, operation_id, p_lease, p_lease_seconds, p_now);
  end if;
  return json_build_object(
    'message_id', m.msg_id,
    'read_ct', m.read_ct,
    'operation_id', operation_id,
    'leased', leased
  );
end $$;

-- Returns the operation that a message names: `{"operation_id": 7}`. Returns null for any other
-- JSON value, and for numbers that no operation can have.
create or replace function named_operation(p_message jsonb) returns bigint
language sql immutable as $$
  select case when jsonb_typeof(p_message -> 'operation_id') = 'number' then
    case
      when (p_message ->> 'operation_id')::numeric between 1 and 9007199254740991
        and (p_message ->> 'operation_id')::numeric % 1 = 0
      then (p_message ->> 'operation_id')::numeric::bigint
    end
  end
$$;
