-- Creates or finds the operation of a request key, in one statement (step 3 of ARCHITECTURE.md).
--
--   p_refusal          the code with which this process refuses new work at present; null: none
--   p_limit            the page size that the plan must permit; null: it does not limit the action
--   p_delivered_units  the max number of units that the request can deliver
--   p_filters          the filters of the search, which settlement checks again; null: none
--
-- Outcomes:
--   claimed   this process performs the operation, under p_lease;
--   found     the key has an operation already, whose present answer is returned. An unfinished
--             operation is answered by 202, and its caller asks again;
--   accepted  the operation is background work, and its message is sent. The answer is 202;
--   refused   the answer has a code, and this request leaves no row and no reservation.
--
-- A claim is one transaction. If the process or its connection dies before the commit, nothing
-- remains. The server may still finish and commit a statement whose client has gone; then the rule
-- after the commit applies. After the commit, an entitled key of the account finds the operation.
--
-- A lease is only a token. When it has expired, a sweep removes it and queues the operation, or a
-- worker replaces it. Until then, its holder may settle.
--
-- An operation that is unfinished at its deadline expires at the next sweep, poll or retry. It is
-- not charged, and its request key stays used.
--
-- Sequential scans are off. Otherwise, a plan that was cached while the tables were small would read
-- all operations.
create or replace function claim_operation(
  p_key_hash bytea,
  p_action text,
  p_request_key text,
  p_fingerprint bytea,
  p_scope bytea,
  p_inputs jsonb,
  p_filters jsonb,
  p_background boolean,
  p_refusal text,
  p_limit bigint,
  p_cursor text,
  p_delivered_units bigint,
  p_lease uuid,
  p_lease_seconds integer,
  p_deadline_seconds integer,
  p_now timestamptz
) returns json language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
  previous operations;
  frozen jsonb;
  frozen_by bigint;
  delivered bigint := p_delivered_units;
  refused json;
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;

  -- Repeats if another transaction inserts the key between the select and the insert.
  loop
    select * into o from operations
    where account_id = c.account_id and request_key = p_request_key;
    if found then
      if o.fingerprint <> p_fingerprint then return refusal('idempotency_conflict'); end if;
      return present_operation('found', o, c, at);
    end if;

    if p_limit > c.page_limit then
      return json_build_object(
        'outcome', 'refused', 'code', 'result_limit_reached', 'page_limit', c.page_limit);
    end if;
    if p_cursor is not null then
      select * into previous from operations
      where next_cursor = p_cursor and account_id = c.account_id and scope = p_scope;
      if not found then return refusal('invalid_cursor'); end if;
      -- A page of a search continues with the state of the first page. A page of a listing stores a
      -- state of its own.
      select body, operation_id into frozen, frozen_by from shortlists
      where operation_id in (previous.id, previous.shortlist_id)
      order by operation_id desc
      limit 1;
      if not found then return refusal('invalid_cursor'); end if;
      delivered := least(
        delivered, jsonb_array_length(frozen -> 'entries') - previous.next_position);
    end if;

    -- Existing operations have been answered above, whatever this process can do at present.
    if p_refusal = 'unavailable' then return refusal(p_refusal); end if;
    if p_refusal = 'too_many_requests' or p_background and has_full_backlog(c.subscription_id) then
      -- Nobody knows when there will be a place, so the answer names ten seconds (chosen).
      return json_build_object(
        'outcome', 'refused', 'code', 'too_many_requests',
        'retry_at', instant(at + interval '10 s'), 'retry_after_seconds', 10);
    end if;
    -- Reads the counters without a lock, so that a refused request writes nothing.
    refused := refusal_of_units(units_in_use(c), c, delivered, at);
    if refused is not null then return refused; end if;

    insert into operations (
      account_id, subscription_id, request_key, action, fingerprint, scope,
      inputs, filters, status,
      claimed_at, deadline_at,
      lease_token,
      lease_expires_at,
      window_start, week_start, reserved_request_units, reserved_delivered_units,
      shortlist_id, start_position
    ) values (
      c.account_id, c.subscription_id, p_request_key, p_action, p_fingerprint, p_scope,
      p_inputs, p_filters,
      case when p_background then 'pending' else 'processing' end,
      at, at + make_interval(secs => p_deadline_seconds),
      case when not p_background then p_lease end,
      case when not p_background then at + make_interval(secs => p_lease_seconds) end,
      c.window_start, c.week_start, 1, delivered,
      frozen_by, coalesce(previous.next_position, 0)
    )
    on conflict (account_id, request_key) do nothing
    returning * into o;
    exit when found;
  end loop;

  -- The reservation comes late, because it locks the row that all requests of the subscription share.
  -- The locked row decides, so concurrent claims cannot exceed the allowance.
  refused := reserve_units(o, c, at);
  if refused is not null then
    delete from operations where id = o.id;
    return refused;
  end if;

  if p_background then
    perform queue_operation(o, 0, true);
    return present_operation('accepted', o, c, at);
  end if;
  return json_build_object('outcome', 'claimed', 'operation_id', o.id, 'frozen', frozen);
end $$;

-- Returns whether a subscription has at least 100 operations that wait for a worker. A claim of
-- background work is then refused, which keeps the queue short enough to be sorted by turns at every
-- read. Requests that arrive at the same moment may exceed the bound by a few. A claim whose caller
-- waits is not refused. If its lease is given back, its operation waits for a worker too, and only
-- the allowance limits the number of such operations.
create or replace function has_full_backlog(p_subscription_id bigint) returns boolean
language sql stable as $$
  select count(*) = 100 from (
    select from operations
    where subscription_id = p_subscription_id and status = 'pending'
    limit 100
  ) waiting
$$;
