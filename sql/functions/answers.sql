-- The parts of which every answer about an operation is made.

-- What is left of a subscription's request allowance, with what the RateLimit headers say of it.
create or replace function allowance_json(c caller, p_at timestamptz)
returns json language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'window_seconds', c.window_seconds,
      'window_limit', c.request_units,
      'window_remaining', greatest(
        0, c.request_units - u.window_request_units - u.window_reserved_request_units),
      'window_resets_in_seconds', ceil(extract(epoch from c.window_end - p_at))::integer,
      'weekly_limit', c.weekly_request_units,
      'weekly_remaining', greatest(
        0, c.weekly_request_units - u.week_request_units - u.week_reserved_request_units),
      'week_resets_in_seconds', ceil(extract(epoch from c.week_end - p_at))::integer
    )
    from units_in_use(c) u
  );
end $$;

create or replace function refusal(p_code text) returns json language sql immutable as $$
  select json_build_object('outcome', 'refused', 'code', p_code)
$$;

-- Replay: an operation with its stored ids and the evidence as it stands now.
create or replace function operation_answer(p_outcome text, o operations, c caller, p_at timestamptz)
returns json language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'outcome', p_outcome,
      'operation', json_build_object(
        'id', o.id,
        'status', o.status,
        'request_key', o.request_key,
        'request_units', o.request_units,
        'delivered_units', o.delivered_units,
        'fresh_evidence_units', o.fresh_evidence_units
      ),
      'action', o.action,
      'inputs', o.inputs,
      'failure_code', o.failure_code,
      'next_cursor', o.next_cursor,
      'start_position', o.start_position,
      'result', o.result,
      'allowance', allowance_json(c, p_at),
      'holders', case when o.action = 'get_companies' and o.result is not null then (
      select coalesce(json_object_agg(hostname, companies), '{}')
      from (
        select d.hostname, json_agg(distinct d.company_id) as companies
        from deliverable_domains d
        where d.hostname = any(filter_values(o.inputs, 'domains'))
        group by d.hostname
      ) held
    ) end,
    'observations', case when o.result is not null then observation_rows(
        array(
          select observation_id::bigint
          from jsonb_array_elements(o.result -> 'entries') entry,
            jsonb_array_elements_text(entry -> 'observation_ids') observation_id
        ),
        -- Only a company lookup shows hostnames.
        o.action = 'get_companies'
      ) end
    )
  );
end $$;
