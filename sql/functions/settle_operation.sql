-- Room 5, Settle: one statement under the lease that makes an operation delivered and charges it.
--
-- p_entries are the ranked ids that perform found; what is deliverable of them, and fits the page,
-- is delivered. p_unit says what a delivered unit is: a distinct `company` or an `observation`.
-- p_next_cursor is spent only where more is to come. What the next page then starts from is frozen:
-- p_next, or where that is null the entries that are left over, with p_result.
-- p_refresh_hostnames have no coverage: sources are asked for them.
-- Returns the answer (its caller checked anew), outcome `settled`; or `found`, where the lease was
-- lost and somebody else decides the operation. Without p_key_hash (background work): the outcome.
create or replace function settle_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_lease uuid,
  p_entries jsonb,
  p_limit integer,
  p_unit text,
  p_result jsonb,
  p_next_cursor text,
  p_next jsonb,
  p_refresh_hostnames text[],
  p_fresh_observation_ids bigint[],
  p_now timestamptz
) returns json language plpgsql as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
  picked record;
  units integer;
  fresh integer;
  more boolean;
begin
  select * into strict o from operations where id = p_operation_id for update;
  if o.status <> 'processing' or o.lease_token <> p_lease then
    return settlement_answer('found', p_key_hash, o, at);
  end if;

  select * into picked
  from deliverable_entries(
    p_entries,
    o.start_position,
    p_limit,
    -- A listing has its one filter beside its other inputs.
    coalesce(o.inputs -> 'filters', o.inputs - 'domains')
  );
  select
    case p_unit
      when 'company' then count(distinct entry -> 'company_id')
      when 'observation' then count(*)
    end,
    count(distinct id) filter (where id::bigint = any(p_fresh_observation_ids))
  into strict units, fresh
  from jsonb_array_elements(picked.entries) entry,
    jsonb_array_elements_text(entry -> 'observation_ids') id;
  more := p_next_cursor is not null
    and (p_next is not null or picked.next_position is not null);

  update operations set
    status = 'delivered',
    finished_at = at,
    lease_token = null,
    lease_expires_at = null,
    request_units = 1,
    delivered_units = units,
    fresh_evidence_units = fresh,
    result = jsonb_build_object('as_of', instant(at))
      || p_result || jsonb_build_object('entries', picked.entries),
    next_cursor = case when more then p_next_cursor end,
    -- A page that froze where to go on starts its successor from there.
    next_position = case when more then coalesce(picked.next_position, 0) end
  where id = o.id
  returning * into o;
  if more and (p_next is not null or o.shortlist_id is null) then
    insert into shortlists (operation_id, body)
    values (o.id, coalesce(p_next, p_result || jsonb_build_object('entries', p_entries)));
  end if;
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
    at
  );
  if o.message_id is not null then perform pgmq.delete('operations', o.message_id); end if;
  if p_refresh_hostnames <> '{}' then perform queue_refreshes(p_refresh_hostnames, at); end if;
  perform release_units(o);
  return settlement_answer('settled', p_key_hash, o, at);
end $$;
