-- Room 3, Claim: one statement that takes or finds the operation of a key.
--
-- Returns an outcome: `claimed` (this process performs it, under p_lease), `found` (somebody has or
-- had it; with its answer as it stands), `accepted` (background work, its message sent), or
-- `refused` with a code. A refusal leaves no row and no reservation.
-- p_limit is the page that was asked for (null: the action has no pages), p_delivered_units the most
-- that the request could deliver.
create or replace function claim_operation(
  p_key_hash bytea,
  p_action text,
  p_request_key text,
  p_fingerprint bytea,
  p_scope bytea,
  p_inputs jsonb,
  p_background boolean,
  p_limit bigint,
  p_cursor text,
  p_delivered_units bigint,
  p_lease uuid,
  p_lease_seconds integer,
  p_deadline_seconds integer,
  p_now timestamptz
) returns json language plpgsql as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
  previous operations;
  page_shortlist_id bigint;
  page_shortlist jsonb;
  page_position integer := 0;
  delivered bigint := p_delivered_units;
  refused json;
begin
  select * into c from find_caller(p_key_hash, at);
  if not found then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;

  -- Again where a rival takes the key between the look and the insert.
  loop
    select * into o from operations
    where account_id = c.account_id and request_key = p_request_key;
    if found then
      if o.fingerprint <> p_fingerprint then return refusal('idempotency_conflict'); end if;
      if o.finished_at is null and o.deadline_at <= at then
        o := expire_operation(o.id, at);
      end if;
      return operation_answer('found', o, c, at);
    end if;

    if p_limit > c.page_limit then return refusal('result_limit_reached'); end if;
    if p_cursor is not null then
      select * into previous from operations
      where next_cursor = p_cursor and account_id = c.account_id and scope = p_scope;
      if not found then return refusal('invalid_cursor'); end if;
      page_position := previous.next_position;
      select operation_id, body into page_shortlist_id, page_shortlist from shortlists
      where operation_id in (previous.id, previous.shortlist_id)
      order by operation_id desc
      limit 1;
      if not found then return refusal('invalid_cursor'); end if;
      if page_shortlist ? 'entries' then
        delivered := least(
          delivered, jsonb_array_length(page_shortlist -> 'entries') - page_position);
      end if;
    end if;

    insert into operations (
      account_id,
      subscription_id,
      request_key,
      action,
      fingerprint,
      scope,
      inputs,
      status,
      claimed_at,
      deadline_at,
      lease_token,
      lease_expires_at,
      window_start,
      week_start,
      reserved_request_units,
      reserved_delivered_units,
      shortlist_id,
      start_position
    ) values (
      c.account_id,
      c.subscription_id,
      p_request_key,
      p_action,
      p_fingerprint,
      p_scope,
      p_inputs,
      case when p_background then 'pending' else 'processing' end,
      at,
      at + make_interval(secs => p_deadline_seconds),
      case when not p_background then p_lease end,
      case when not p_background then at + make_interval(secs => p_lease_seconds) end,
      c.window_start,
      c.week_start,
      1,
      delivered,
      page_shortlist_id,
      page_position
    )
    on conflict (account_id, request_key) do nothing
    returning * into o;
    exit when found;
  end loop;

  if p_background then
    update operations
    set message_id = (select pgmq.send('operations', jsonb_build_object('operation_id', o.id)))
    where id = o.id
    returning * into o;
  end if;

  -- Last, since it locks the row that all requests of the subscription share.
  refused := reserve_units(o, c, at);
  if refused is not null then
    if o.message_id is not null then perform pgmq.delete('operations', o.message_id); end if;
    delete from operations where id = o.id;
    return refused;
  end if;

  if p_background then return operation_answer('accepted', o, c, at); end if;
  return json_build_object(
    'outcome', 'claimed',
    'operation_id', o.id,
    'shortlist', page_shortlist
  );
end $$;
