-- Reads an operation by id, for polling and replay. The read is unmetered. An operation of another
-- account counts as missing.
create or replace function read_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_now timestamptz
) returns json language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  select * into o from operations where id = p_operation_id and account_id = c.account_id;
  if not found then return refusal('usage_not_found'); end if;
  return present_operation('found', o, c, at);
end $$;
