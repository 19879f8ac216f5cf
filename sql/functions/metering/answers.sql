-- Functions that build the parts of every answer about an operation.

-- Returns the answer about an operation, from its stored ids and the evidence as it stands now. For
-- a caller, an operation that has passed its deadline expires first. Without a caller, the answer has
-- no evidence and no allowance: background work has none, and a key may be revoked during the work.
create or replace function present_operation(
  p_outcome text,
  o operations,
  c caller,
  p_at timestamptz
) returns json language plpgsql as $$
begin
  if c.account_id is null then
    return json_build_object(
      'outcome', p_outcome, 'operation', operation_json(o), 'failure_code', o.failure_code);
  end if;
  if o.finished_at is null and o.deadline_at <= p_at then
    select * into strict o from operations where id = o.id for update;
    -- A settlement that has committed meanwhile is final.
    if o.finished_at is null then o := expire_operation(o.id, p_at); end if;
  end if;
  return json_build_object(
    'outcome', p_outcome,
    'operation', operation_json(o),
    'action', o.action,
    'inputs', o.inputs,
    'failure_code', o.failure_code,
    'next_cursor', o.next_cursor,
    'start_position', o.start_position,
    'times', json_build_object(
      'claimed_at', instant(o.claimed_at),
      'finished_at', instant(o.finished_at),
      'cancelled', coalesce(o.result ? 'cancelled', false)
    ),
    'result', o.result,
    'allowance', allowance_json(c, units_in_use(c), p_at),
    -- Only a lookup shows hostnames, and only one by hostname needs the companies that have them.
    'holders', case when o.result @? '$.lookups[*].hostname' then holders(o) end,
    'observations', case when o.result is not null then shown_observations(
      array(
        select id::bigint
        from jsonb_array_elements(o.result -> 'entries') entry,
          jsonb_array_elements_text(entry -> 'observation_ids') id
      ),
      o.result ? 'lookups'
    ) end
  );
end $$;

-- Returns an operation's identity, status and units.
create or replace function operation_json(o operations) returns json
language plpgsql immutable as $$
begin
  return json_build_object(
    'id', o.id,
    'status', o.status,
    'request_key', o.request_key,
    'request_units', o.request_units,
    'delivered_units', o.delivered_units,
    'fresh_evidence_units', o.fresh_evidence_units
  );
end $$;

-- Returns a subscription's remaining request allowance by its counters, with the values of the
-- RateLimit headers.
create or replace function allowance_json(c caller, a allowances, p_at timestamptz)
returns json language plpgsql immutable as $$
begin
  return json_build_object(
    'window_seconds', c.window_seconds,
    'window_limit', c.request_units,
    'window_remaining', greatest(
      0, c.request_units - a.window_request_units - a.reserved_request_units),
    'window_resets_in_seconds', ceil(extract(epoch from c.window_end - p_at))::integer,
    'weekly_limit', c.weekly_request_units,
    'weekly_remaining', greatest(
      0, c.weekly_request_units - a.week_request_units - a.reserved_request_units),
    'week_resets_in_seconds', ceil(extract(epoch from c.week_end - p_at))::integer
  );
end $$;

-- Returns the answer to a refused request.
create or replace function refusal(p_code text) returns json language sql immutable as $$
  select json_build_object('outcome', 'refused', 'code', p_code)
$$;

-- Returns the delivered companies that have each hostname at present: {hostname: [company_id]}.
create or replace function holders(o operations) returns json language plpgsql stable as $$
begin
  return (
    select coalesce(json_object_agg(held.hostname, held.companies), '{}')
    from (
      select d.hostname, json_agg(cd.company_id) as companies
      from company_domains cd
      join domains d on d.id = cd.domain_id
      where cd.company_id in (
          select (entry ->> 'company_id')::bigint
          from jsonb_array_elements(o.result -> 'entries') entry
        )
        and exists (
          select from deliverable_domains s
          where s.domain_id = cd.domain_id and s.company_id = cd.company_id
          -- The offset ends the lookup at the first observation that supports the link.
          offset 0
        )
      group by d.hostname
    ) held
  );
end $$;
