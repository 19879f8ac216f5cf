-- Functions that read operations. Each checks its caller in the same statement.

-- Returns the answer for a process that lost its lease before it settled. Background work has no
-- waiting caller, so p_key_hash is null, and the answer has only the outcome.
create or replace function settlement_answer(p_key_hash bytea, o operations, p_at timestamptz)
returns json language plpgsql stable as $$
declare
  c caller;
begin
  if p_key_hash is null then return json_build_object('outcome', 'found'); end if;
  c := caller_of_key(p_key_hash, p_at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  return replayed_answer('found', o, c, false, p_at);
end $$;

-- Reads an operation by id, for polling and replay. The read is unmetered. An operation of another
-- account counts as missing. With p_bodies, the answer has the body of every observation.
create or replace function read_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_bodies boolean,
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
  select * into o from operations where id = p_operation_id and account_id = c.account_id;
  if not found then return refusal('usage_not_found'); end if;
  if o.finished_at is null and o.deadline_at <= at then o := expire_operation(o.id, at); end if;
  return replayed_answer('found', o, c, p_bodies, at);
end $$;
