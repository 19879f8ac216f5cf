-- Claims and settles in one statement (rooms 3 and 5 of ARCHITECTURE.md). The process has already
-- found a first page. This function creates the operation of the request key, delivers the page and
-- charges it. No reservation is made, because nothing comes between claim and charge.
--
-- Returns the answer of claim_operation if the key is refused or has an operation already, and
-- otherwise that of settle_operation. Their parameters have the same meaning here. A refusal leaves
-- no row. The page may hold p_limit entries, and the allowance must suffice for as many units.
-- p_unfilled is true if sources could add companies to the page. If it is true, and an operator has
-- opened a source to searches, nothing is done, and the outcome is `unfilled`. The process then
-- claims the search, asks the source and settles.
--
-- Sequential scans are off for the reason that settle_operation() states.
create or replace function claim_and_settle_operation(
  p_key_hash bytea,
  p_action text,
  p_request_key text,
  p_fingerprint bytea,
  p_scope bytea,
  p_inputs jsonb,
  p_filters jsonb,
  p_deadline_seconds integer,
  p_company_ids bigint[],
  p_places integer[],
  p_observation_ids bigint[],
  p_known text[],
  p_page jsonb,
  p_moment text,
  p_expires_at timestamptz,
  p_limit integer,
  p_unit text,
  p_result jsonb,
  p_unfilled boolean,
  p_next_cursor text,
  p_now timestamptz
) returns json language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
  picked record;
  admitted record;
  answer json;
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;

  -- Repeats if another transaction inserts the key between the select and the insert.
  loop
    answer := answer_of_key(c, p_request_key, p_fingerprint, at);
    if answer is not null then return answer; end if;
    if p_limit > c.page_limit then return page_limit_refusal(c); end if;
    if p_unfilled and exists (select from sources where permitted and asked_in_searches) then
      return json_build_object('outcome', 'unfilled');
    end if;

    picked := deliverable_entries(
      p_company_ids,
      p_places,
      p_observation_ids,
      p_known,
      0,
      p_limit,
      p_filters,
      '{}',
      true,
      false,
      p_page,
      p_moment,
      p_expires_at
    );
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
      finished_at,
      window_start,
      week_start,
      reserved_request_units,
      reserved_delivered_units,
      request_units,
      delivered_units,
      result,
      next_position,
      next_cursor
    ) values (
      c.account_id,
      c.subscription_id,
      p_request_key,
      p_action,
      p_fingerprint,
      p_scope,
      p_inputs,
      p_filters,
      false,
      'delivered',
      at,
      at + make_interval(secs => p_deadline_seconds),
      at,
      c.window_start,
      c.week_start,
      1,
      p_limit,
      1,
      units_of(p_unit, picked.companies, picked.observations),
      stored_result(at, p_result, picked.entries),
      picked.next_position,
      case when picked.next_position is not null then p_next_cursor end
    )
    on conflict (account_id, request_key) do nothing
    returning * into o;
    exit when found;
  end loop;

  -- admit_units() locks the row that all requests of the subscription share. The statements after
  -- it wait for no other transaction.
  admitted := admit_units(o, c, at);
  if admitted.refused is not null then
    delete from operations where id = o.id;
    return admitted.refused;
  end if;
  if o.next_position is not null then
    insert into shortlists (operation_id, facts, company_ids, places, observation_ids)
    values (o.id, p_result, p_company_ids, p_places, p_observation_ids);
  end if;
  perform write_settlement(o);
  return settled_answer(
    o, allowance_json(c, admitted.a, at), picked.confirmed, picked.confirmation, picked.shown);
end $$;
