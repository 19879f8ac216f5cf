-- Reserves, charges and releases units. Every function that changes counters locks the one row of
-- the subscription in `allowances`. A transaction that has called such a function waits for no
-- further lock, except for that of a message that a worker is just taking.

-- Returns the counters of a subscription for a window and a week, as the ledger and the unfinished
-- operations say. They are matched by name, because a newer version may add a column.
create or replace function counted_units(
  p_subscription_id bigint,
  p_window_start timestamptz,
  p_week_start timestamptz
) returns allowances language sql stable as $$
  select jsonb_populate_record(null::allowances, to_jsonb(settled) || to_jsonb(reserved))
  from (
    select
      p_subscription_id as subscription_id,
      p_window_start as window_start,
      p_week_start as week_start,
      coalesce(sum(request_units) filter (where in_window), 0) as window_request_units,
      coalesce(sum(delivered_units) filter (where in_window), 0) as window_delivered_units,
      coalesce(sum(fresh_evidence_units) filter (where in_window), 0)
        as window_fresh_evidence_units,
      coalesce(sum(request_units) filter (where in_week), 0) as week_request_units,
      coalesce(sum(delivered_units) filter (where in_week), 0) as week_delivered_units
    from ledger
    cross join lateral (
      select window_start >= p_window_start as in_window, week_start >= p_week_start as in_week
    ) place
    where subscription_id = p_subscription_id and (in_window or in_week)
  ) settled, (
    select
      coalesce(sum(reserved_request_units), 0) as reserved_request_units,
      coalesce(sum(reserved_delivered_units), 0) as reserved_delivered_units
    from operations
    where subscription_id = p_subscription_id and status in ('pending', 'processing')
  ) reserved
$$;

-- Returns the counters of the caller's window and week. If the stored ones belong to another window
-- or week, they are computed as the next claim will rebuild them.
create or replace function units_in_use(c caller) returns allowances language plpgsql stable as $$
declare
  a allowances;
begin
  select * into a from allowances where subscription_id = c.subscription_id;
  if a.window_start = c.window_start and a.week_start = c.week_start then return a; end if;
  return counted_units(c.subscription_id, c.window_start, c.week_start);
end $$;

-- Reserves the units of a new operation. The allowance must suffice for all units that the request
-- could deliver. Returns null, or a refusal with the exhausted allowance and the time of its renewal.
--
-- In another window or week, the counters are rebuilt from the ledger first. If a change of the plan
-- has lengthened the window, they thus include all usage within the longer window. If the window was
-- shortened, usage from before its new start no longer counts. A claim with a slightly earlier time
-- may move the counters back. The next claim then rebuilds them again.
create or replace function reserve_units(o operations, c caller, p_at timestamptz)
returns json language plpgsql as $$
declare
  a allowances;
  refused json;
begin
  select * into strict a from allowances where subscription_id = c.subscription_id for update;
  if a.window_start <> c.window_start or a.week_start <> c.week_start then
    a := counted_units(c.subscription_id, c.window_start, c.week_start);
    -- The new operation is counted already, because its row exists.
    a.reserved_request_units := a.reserved_request_units - o.reserved_request_units;
    a.reserved_delivered_units := a.reserved_delivered_units - o.reserved_delivered_units;
  end if;
  refused := refusal_of_units(a, c, o.reserved_delivered_units, p_at);
  if refused is not null then return refused; end if;
  update allowances set
    window_start = a.window_start,
    window_request_units = a.window_request_units,
    window_delivered_units = a.window_delivered_units,
    window_fresh_evidence_units = a.window_fresh_evidence_units,
    week_start = a.week_start,
    week_request_units = a.week_request_units,
    week_delivered_units = a.week_delivered_units,
    reserved_request_units = reserved_request_units + o.reserved_request_units,
    reserved_delivered_units = reserved_delivered_units + o.reserved_delivered_units
  where subscription_id = c.subscription_id;
  return null;
end $$;

-- Returns the refusal of a request for which counters leave too few units, with the time of their
-- renewal; null if they suffice. If both the week and the window are exhausted, the week decides.
create or replace function refusal_of_units(
  a allowances,
  c caller,
  p_delivered_units bigint,
  p_at timestamptz
) returns json language plpgsql stable as $$
declare
  code text := 'request_limit_reached';
  needed bigint := 1;
  units_limit bigint := least(c.weekly_request_units, c.request_units);
  in_week bigint := c.weekly_request_units - a.week_request_units - a.reserved_request_units;
  in_window bigint := c.request_units - a.window_request_units - a.reserved_request_units;
  retry_at timestamptz;
begin
  if in_week >= 1 and in_window >= 1 then
    code := 'delivery_limit_reached';
    needed := p_delivered_units;
    units_limit := least(c.weekly_delivered_units, c.delivered_units);
    in_week := c.weekly_delivered_units - a.week_delivered_units - a.reserved_delivered_units;
    in_window := c.delivered_units - a.window_delivered_units - a.reserved_delivered_units;
  end if;
  if in_week >= needed and in_window >= needed then return null; end if;
  retry_at := case when in_week < needed then c.week_end else c.window_end end;
  return json_build_object(
    'outcome', 'refused',
    'code', code,
    'units_left', greatest(0, case when in_week < needed then in_week else in_window end),
    'units_needed', needed,
    'units_limit', units_limit,
    'retry_at', instant(retry_at),
    'retry_after_seconds', ceil(extract(epoch from retry_at - p_at))::integer,
    'allowance', allowance_json(c, a, p_at)
  );
end $$;

-- Deletes an operation's message, releases its reservation, and counts its charge. The units of a
-- settled operation are added to the window and week that admitted it. They are not counted if the
-- counters belong to a later window or week by now.
create or replace function release_operation(o operations) returns void language plpgsql as $$
begin
  if o.message_id is not null then perform pgmq.delete('operations', o.message_id); end if;
  -- The update reads the counters from its target row, not from a joined copy. If it has waited for
  -- the lock, it therefore adds to the values that the last holder has written.
  update allowances set
    window_request_units =
      window_request_units + o.request_units * (o.window_start >= window_start)::integer,
    window_delivered_units =
      window_delivered_units + o.delivered_units * (o.window_start >= window_start)::integer,
    window_fresh_evidence_units = window_fresh_evidence_units
      + o.fresh_evidence_units * (o.window_start >= window_start)::integer,
    week_request_units =
      week_request_units + o.request_units * (o.week_start >= week_start)::integer,
    week_delivered_units =
      week_delivered_units + o.delivered_units * (o.week_start >= week_start)::integer,
    reserved_request_units = reserved_request_units - o.reserved_request_units,
    reserved_delivered_units = reserved_delivered_units - o.reserved_delivered_units
  where subscription_id = o.subscription_id;
end $$;
