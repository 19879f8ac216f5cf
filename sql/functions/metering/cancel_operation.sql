-- Functions for the tasks of the Model Context Protocol: cancellation and times of operations.

-- Cancels an operation of the caller's account that no process performs yet. Nothing is charged,
-- its reservation is released and its message is deleted. Later requests with its request key get
-- usage_failed.
--
-- Returns `cancelled`, also if the operation was cancelled before. Otherwise returns the status
-- that prevented the cancellation.
create or replace function cancel_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_now timestamptz
) returns json language plpgsql as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
begin
  select * into c from find_caller(p_key_hash, at);
  if not found then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  update operations set
    status = 'failed',
    finished_at = at,
    failure_code = 'usage_failed',
    inputs = null,
    result = '{"entries": [], "cancelled": true}'
  where id = p_operation_id and account_id = c.account_id and status = 'pending'
  returning * into o;
  if found then
    perform release_operation(o);
    return json_build_object('outcome', 'cancelled');
  end if;
  select * into o from operations where id = p_operation_id and account_id = c.account_id;
  if not found then return refusal('usage_not_found'); end if;
  if o.result ? 'cancelled' then return json_build_object('outcome', 'cancelled'); end if;
  return json_build_object('outcome', o.status);
end $$;

-- Returns when an operation of the caller's account was claimed and finished, and whether it was
-- cancelled. Checks only that the key belongs to the account and is not revoked. An earlier
-- statement of the same request has checked the subscription.
create or replace function read_operation_times(p_key_hash bytea, p_operation_id bigint)
returns json language sql stable as $$
  select json_build_object(
    'claimed_at', to_json(o.claimed_at at time zone 'utc') #>> '{}' || 'Z',
    'finished_at', to_json(o.finished_at at time zone 'utc') #>> '{}' || 'Z',
    'cancelled', coalesce(o.result ? 'cancelled', false)
  )
  from operations o
  join api_keys k on k.account_id = o.account_id
  where o.id = p_operation_id and k.hash = p_key_hash and k.revoked_at is null
$$;
