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
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
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
