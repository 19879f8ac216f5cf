-- Delivers an operation under its lease and charges it, in one statement (room 5 of
-- ARCHITECTURE.md).
--
--   p_key_hash             the caller, who is checked anew; null for background work
--   p_company_ids, p_places, p_observation_ids
--                          the ranked ids that the action found (see deliverable_entries); those
--                          that may be delivered and fit the page are delivered
--   p_known                the revisions whose bodies the process has
--   p_page, p_moment, p_expires_at
--                          the foreseen page and its last confirmation (see deliverable_entries)
--   p_unit                 what a delivered unit is: a distinct `company` or an `observation`
--   p_result               facts of the page, which are stored beside its entries for replays
--   p_next_cursor          used only if there is a next page; null: the action has no pages
--   p_next                 state from which the next page continues; null: all ranked ids, with
--                          p_result
--   p_refresh_hostnames    requested hostnames without a company, which are queued for a refresh
--
-- Returns the answer with one of these outcomes. For background work it has only the outcome and
-- the units.
--   settled    the operation is delivered;
--   confirmed  it is delivered, and the page is exactly p_page: the answer has only what the
--              process does not know;
--   found      the lease was lost; another process performs the operation, or it has ended.
--
-- Sequential scans are off, also for the checks of foreign keys. Otherwise, a plan that was cached
-- while there were few operations would read all of them.
create or replace function settle_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_lease uuid,
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
  p_next_cursor text,
  p_next jsonb,
  p_refresh_hostnames text[],
  p_fresh_observation_ids bigint[],
  p_now timestamptz
) returns json language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
  a allowances;
  picked record;
  more boolean;
begin
  select * into strict o from operations where id = p_operation_id;
  picked := deliverable_entries(
    p_company_ids,
    p_places,
    p_observation_ids,
    p_known,
    o.start_position,
    p_limit,
    entry_filters(o),
    p_fresh_observation_ids,
    p_key_hash is not null,
    o.shows_hostnames is distinct from false,
    -- A foreseen page is used only if the answer holds nothing else: no hostnames and no fresh
    -- evidence.
    case when o.start_position = 0 and p_key_hash is not null and p_fresh_observation_ids = '{}'
      and not o.shows_hostnames then p_page end,
    p_moment,
    p_expires_at
  );
  more := p_next_cursor is not null
    and (p_next is not null or picked.next_position is not null);

  update operations set
    status = 'delivered',
    finished_at = at,
    lease_token = null,
    lease_expires_at = null,
    request_units = 1,
    delivered_units = units_of(p_unit, picked.companies, picked.observations),
    fresh_evidence_units = picked.fresh,
    result = stored_result(at, p_result, picked.entries),
    next_cursor = case when more then p_next_cursor end,
    -- If p_next is stored for the next page, the position of that page is 0.
    next_position = case when more then coalesce(picked.next_position, 0) end
  -- A lease token implies the status `processing`, so the status is not checked.
  where id = p_operation_id and lease_token = p_lease
  returning * into o;
  if not found then
    select * into strict o from operations where id = p_operation_id;
    return settlement_answer(p_key_hash, o, at);
  end if;
  if more and (p_next is not null or o.shortlist_id is null) then
    if p_next is null then
      insert into shortlists (operation_id, facts, company_ids, places, observation_ids)
      values (o.id, p_result, p_company_ids, p_places, p_observation_ids);
    else
      insert into shortlists (operation_id, body) values (o.id, p_next);
    end if;
  end if;
  perform write_settlement(o);
  if o.message_id is not null then perform pgmq.delete('operations', o.message_id); end if;
  if p_refresh_hostnames <> '{}' then perform queue_refreshes(p_refresh_hostnames, at); end if;
  if p_key_hash is not null then c := caller_of_key(p_key_hash, at); end if;
  -- release_units() comes last, because it locks the row that all requests of the subscription
  -- share.
  a := release_units(o);

  if p_key_hash is null then return background_outcome('settled', o); end if;
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  return settled_answer(
    o, allowance_json(c, a, at), picked.confirmed, picked.confirmation, picked.shown);
end $$;

-- Returns the number of units on a page. A unit is a distinct `company` or an `observation`.
create or replace function units_of(p_unit text, p_companies integer, p_observations integer)
returns integer language sql immutable as $$
  select case p_unit when 'company' then p_companies when 'observation' then p_observations end
$$;

-- Returns the facts of a page, as they are stored with its entries and its time.
create or replace function stored_result(p_at timestamptz, p_facts jsonb, p_entries jsonb)
returns jsonb language sql stable as $$
  select jsonb_build_object('as_of', instant(p_at)) || p_facts
    || jsonb_build_object('entries', p_entries)
$$;

-- Writes the one ledger row of a delivered operation.
create or replace function write_settlement(o operations) returns void language plpgsql as $$
begin
  insert into ledger (
    operation_id,
    subscription_id,
    request_units,
    delivered_units,
    fresh_evidence_units,
    window_start,
    week_start,
    settled_at
  ) values (
    o.id,
    o.subscription_id,
    o.request_units,
    o.delivered_units,
    o.fresh_evidence_units,
    o.window_start,
    o.week_start,
    o.finished_at
  );
end $$;

-- Returns the answer of the statement that settles an operation. p_confirmed, p_confirmation and
-- p_shown are results of deliverable_entries().
create or replace function settled_answer(
  o operations,
  p_allowance json,
  p_confirmed boolean,
  p_confirmation json,
  p_shown json
) returns json language plpgsql stable as $$
begin
  if p_confirmed then
    return json_build_object(
      'outcome', 'confirmed',
      'operation', operation_json(o),
      'as_of', o.result -> 'as_of',
      'next_cursor', o.next_cursor,
      'confirmation', p_confirmation,
      'allowance', p_allowance
    );
  end if;
  return operation_answer('settled', o, p_allowance, p_shown);
end $$;

-- Returns the filters that the entries of an operation are checked against. An operation that the
-- previous version has claimed has them in its inputs: under `filters`, or, for a listing, beside
-- `domains`.
create or replace function entry_filters(o operations) returns jsonb language plpgsql immutable as $$
begin
  if o.shows_hostnames is null then
    return coalesce(o.inputs -> 'filters', o.inputs - 'domains');
  end if;
  return o.filters;
end $$;

-- Returns the result of background work for the process that performs it: the units that were
-- charged.
create or replace function background_outcome(p_outcome text, o operations)
returns json language sql immutable as $$
  select json_build_object(
    'outcome', p_outcome,
    'operation', json_build_object(
      'status', o.status,
      'request_units', o.request_units,
      'delivered_units', o.delivered_units,
      'fresh_evidence_units', o.fresh_evidence_units
    )
  )
$$;
