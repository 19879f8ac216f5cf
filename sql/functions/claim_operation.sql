-- Creates or finds the operation of a request key, in one statement (room 3 of ARCHITECTURE.md).
--
--   p_limit            the requested page size; null: the action has no pages
--   p_delivered_units  the max number of units that the request can deliver
--   p_filters          the filters of the search, which settlement checks again; null: none
--   p_shows_hostnames  whether the answer shows hostnames
--
-- Outcomes:
--   claimed   this process performs the operation, under p_lease;
--   found     the key has an operation already, whose present answer is returned;
--   accepted  the operation is background work, and its message is sent;
--   refused   the answer has a code, and neither a row nor a reservation remains.
--
-- Sequential scans are off for the reason that settle_operation() states.
create or replace function claim_operation(
  p_key_hash bytea,
  p_action text,
  p_request_key text,
  p_fingerprint bytea,
  p_scope bytea,
  p_inputs jsonb,
  p_filters jsonb,
  p_shows_hostnames boolean,
  p_background boolean,
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
  page shortlists;
  page_position integer := 0;
  delivered bigint := p_delivered_units;
  answer json;
  admitted record;
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;

  -- Repeats if another transaction inserts the key between the select and the insert.
  loop
    answer := answer_of_key(c, p_request_key, p_fingerprint, at);
    if answer is not null then return answer; end if;

    if p_limit > c.page_limit then return page_limit_refusal(c); end if;
    if p_cursor is not null then
      select * into previous from operations
      where next_cursor = p_cursor and account_id = c.account_id and scope = p_scope;
      if not found then return refusal('invalid_cursor'); end if;
      page_position := previous.next_position;
      select * into page from shortlists
      where operation_id in (previous.id, previous.shortlist_id)
      order by operation_id desc
      limit 1;
      if not found then return refusal('invalid_cursor'); end if;
      delivered := least(delivered, frozen_entries(page) - page_position);
    end if;

    insert into operations (
      account_id,
      subscription_id,
      request_key,
      action,
      fingerprint,
      scope,
      inputs,
      filters,
      shows_hostnames,
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
      p_filters,
      p_shows_hostnames,
      case when p_background then 'pending' else 'processing' end,
      at,
      at + make_interval(secs => p_deadline_seconds),
      case when not p_background then p_lease end,
      case when not p_background then at + make_interval(secs => p_lease_seconds) end,
      c.window_start,
      c.week_start,
      1,
      delivered,
      page.operation_id,
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

  -- admit_units() comes last, because it locks the row that all requests of the subscription share.
  admitted := admit_units(o, c, at);
  if admitted.refused is not null then
    if o.message_id is not null then perform pgmq.delete('operations', o.message_id); end if;
    delete from operations where id = o.id;
    return admitted.refused;
  end if;

  if p_background then
    return operation_answer('accepted', o, allowance_json(c, admitted.a, at), null);
  end if;
  return json_build_object(
    'outcome', 'claimed',
    'operation_id', o.id,
    'shortlist', frozen_page(page)
  );
end $$;

-- Returns the answer of the operation that a request key names; null if there is none.
create or replace function answer_of_key(
  c caller,
  p_request_key text,
  p_fingerprint bytea,
  p_at timestamptz
) returns json language plpgsql as $$
declare
  o operations;
begin
  select * into o from operations
  where account_id = c.account_id and request_key = p_request_key;
  if not found then return null; end if;
  if o.fingerprint <> p_fingerprint then return refusal('idempotency_conflict'); end if;
  if o.finished_at is null and o.deadline_at <= p_at then o := expire_operation(o.id, p_at); end if;
  return replayed_answer('found', o, c, false, p_at);
end $$;

-- Returns the refusal of a page that is larger than the plan allows.
create or replace function page_limit_refusal(c caller) returns json
language plpgsql immutable as $$
begin
  return json_build_object(
    'outcome', 'refused', 'code', 'result_limit_reached', 'page_limit', c.page_limit
  );
end $$;

-- Returns the number of entries of a shortlist; null if the shortlist has only the position from
-- which the next page continues.
create or replace function frozen_entries(s shortlists) returns integer
language plpgsql immutable as $$
begin
  if s.company_ids is not null then return cardinality(s.company_ids); end if;
  return jsonb_array_length(s.body -> 'entries');
end $$;

-- Returns the stored data from which a page continues: `body` unchanged, or `facts` together with
-- the ranked ids as `entries`. Returns null for a first page.
create or replace function frozen_page(s shortlists) returns jsonb language plpgsql stable as $$
begin
  if s.company_ids is null then return s.body; end if;
  return s.facts || jsonb_build_object('entries', (
    select jsonb_agg(e.entry)
    from (
      select jsonb_build_object(
        'company_id', s.company_ids[u.place], 'observation_ids', array_agg(u.id order by u.line)
      ) as entry
      from unnest(s.places, s.observation_ids) with ordinality u (place, id, line)
      group by u.place
      order by u.place
    ) e
  ));
end $$;
