-- Reserves, charges and releases units. Every function that changes counters locks the one row of
-- the subscription in `allowances`. A transaction that has called such a function waits for no
-- further lock.

-- Locks a subscription's allowances for the rest of the transaction. Returns false if another
-- transaction keeps the lock until the time-out. The time-out is long enough for the concurrent
-- settlements of a subscription, and so short that one locked subscription hardly delays a worker.
create or replace function lock_allowance(p_subscription_id bigint) returns boolean
language plpgsql set lock_timeout = '250ms' as $$
begin
  perform from allowances where subscription_id = p_subscription_id for update;
  return true;
exception when lock_not_available then
  return false;
end $$;

-- Sums the ledger of a subscription since a window's and a week's start.
create or replace function settled_units(
  p_subscription_id bigint,
  p_window_start timestamptz,
  p_week_start timestamptz,
  out window_request_units integer,
  out window_delivered_units integer,
  out window_fresh_evidence_units integer,
  out week_request_units integer,
  out week_delivered_units integer,
  out week_fresh_evidence_units integer
) language sql stable as $$
  select
    coalesce(sum(request_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(delivered_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(fresh_evidence_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(request_units) filter (where week_start >= p_week_start), 0),
    coalesce(sum(delivered_units) filter (where week_start >= p_week_start), 0),
    coalesce(sum(fresh_evidence_units) filter (where week_start >= p_week_start), 0)
  from ledger
  where subscription_id = p_subscription_id
    and (window_start >= p_window_start or week_start >= p_week_start)
$$;

-- Sums the reservations of a subscription's unfinished operations: the total, and those since the
-- start of a window and of a week. One operation may be left out.
create or replace function reserved_units(
  p_subscription_id bigint,
  p_window_start timestamptz,
  p_week_start timestamptz,
  p_except_operation_id bigint,
  out window_request_units integer,
  out window_delivered_units integer,
  out week_request_units integer,
  out week_delivered_units integer,
  out request_units integer,
  out delivered_units integer
) language sql stable as $$
  select
    coalesce(sum(reserved_request_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(reserved_delivered_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(reserved_request_units) filter (where week_start >= p_week_start), 0),
    coalesce(sum(reserved_delivered_units) filter (where week_start >= p_week_start), 0),
    coalesce(sum(reserved_request_units), 0),
    coalesce(sum(reserved_delivered_units), 0)
  from operations
  where subscription_id = p_subscription_id
    and status in ('pending', 'processing')
    and id is distinct from p_except_operation_id
$$;

-- Returns the counters of the caller's window and week. If the stored ones belong to another window
-- or week, they are computed as the next claim will rebuild them. The row keeps all columns that a
-- newer version has added.
create or replace function units_in_use(c caller) returns allowances language plpgsql stable as $$
declare
  a allowances;
begin
  select * into a from allowances where subscription_id = c.subscription_id;
  if a.window_start = c.window_start and a.week_start = c.week_start then return a; end if;
  a.window_start := c.window_start;
  a.week_start := c.week_start;
  select
    l.window_request_units,
    l.window_delivered_units,
    l.window_fresh_evidence_units,
    l.week_request_units,
    l.week_delivered_units,
    l.week_fresh_evidence_units
  into
    a.window_request_units,
    a.window_delivered_units,
    a.window_fresh_evidence_units,
    a.week_request_units,
    a.week_delivered_units,
    a.week_fresh_evidence_units
  from settled_units(c.subscription_id, c.window_start, c.week_start) l;
  select
    r.window_request_units,
    r.window_delivered_units,
    r.week_request_units,
    r.week_delivered_units
  into
    a.window_reserved_request_units,
    a.window_reserved_delivered_units,
    a.week_reserved_request_units,
    a.week_reserved_delivered_units
  from reserved_units(c.subscription_id, c.window_start, c.week_start, null) r;
  return a;
end $$;

-- Moves the counters to another window or week, and rebuilds them from the ledger and the
-- unfinished operations. If a change of the plan has lengthened the window, the counters thus
-- include all usage within the longer window. If the window was shortened, usage from before its
-- new start no longer counts. A claim with a slightly earlier time may move the counters back. The
-- next claim then rebuilds them again. The operation that is about to reserve is left out, because
-- its row exists but its units do not count yet.
create or replace function roll_allowance(c caller, p_operation_id bigint) returns void language plpgsql as $$
begin
  -- Locks the row first. The sums are in a separate statement, which sees what the last holder of
  -- the lock has committed.
  perform from allowances where subscription_id = c.subscription_id for update;
  update allowances a set
    window_start = c.window_start,
    window_request_units = l.window_request_units,
    window_delivered_units = l.window_delivered_units,
    window_fresh_evidence_units = l.window_fresh_evidence_units,
    window_reserved_request_units = r.window_request_units,
    window_reserved_delivered_units = r.window_delivered_units,
    week_start = c.week_start,
    week_request_units = l.week_request_units,
    week_delivered_units = l.week_delivered_units,
    week_fresh_evidence_units = l.week_fresh_evidence_units,
    week_reserved_request_units = r.week_request_units,
    week_reserved_delivered_units = r.week_delivered_units
  from settled_units(c.subscription_id, c.window_start, c.week_start) l,
    reserved_units(c.subscription_id, c.window_start, c.week_start, p_operation_id) r
  where a.subscription_id = c.subscription_id;
end $$;

-- Counts a new operation: reserves its units, or charges them if it is already delivered. Either
-- way, the allowance must suffice for the most that the request could deliver.
--
--   refused  null, or a refusal with the exhausted allowance and the time of its renewal
--   a        the counters afterwards
create or replace function admit_units(
  o operations,
  c caller,
  p_at timestamptz,
  out refused json,
  out a allowances
) language plpgsql as $$
declare
  requested integer := o.reserved_request_units;
  delivered integer := o.reserved_delivered_units;
  reserved integer := (o.finished_at is null)::integer;
  code text;
  retry_at timestamptz;
begin
  loop
    -- An unfinished operation has no units to charge, and a finished one reserves none.
    update allowances set
      window_request_units = window_request_units + o.request_units,
      window_delivered_units = window_delivered_units + o.delivered_units,
      window_fresh_evidence_units = window_fresh_evidence_units + o.fresh_evidence_units,
      window_reserved_request_units = window_reserved_request_units + reserved * requested,
      window_reserved_delivered_units = window_reserved_delivered_units + reserved * delivered,
      week_request_units = week_request_units + o.request_units,
      week_delivered_units = week_delivered_units + o.delivered_units,
      week_fresh_evidence_units = week_fresh_evidence_units + o.fresh_evidence_units,
      week_reserved_request_units = week_reserved_request_units + reserved * requested,
      week_reserved_delivered_units = week_reserved_delivered_units + reserved * delivered,
      reserved_request_units = reserved_request_units + reserved * requested,
      reserved_delivered_units = reserved_delivered_units + reserved * delivered
    where subscription_id = c.subscription_id
      and window_start = c.window_start
      and week_start = c.week_start
      and window_request_units + window_reserved_request_units + requested <= c.request_units
      and week_request_units + week_reserved_request_units + requested
        <= c.weekly_request_units
      and window_delivered_units + window_reserved_delivered_units + delivered
        <= c.delivered_units
      and week_delivered_units + week_reserved_delivered_units + delivered
        <= c.weekly_delivered_units
    returning * into a;
    if found then return; end if;

    -- The lock keeps the reason for the refusal unchanged while it is read.
    select * into strict a from allowances where subscription_id = c.subscription_id for update;
    if a.window_start <> c.window_start or a.week_start <> c.week_start then
      perform roll_allowance(c, o.id);
      continue;
    end if;
    select short.code, short.retry_at into code, retry_at from (values
      (1, 'request_limit_reached', c.week_end,
        a.week_request_units + a.week_reserved_request_units + requested
          > c.weekly_request_units),
      (2, 'request_limit_reached', c.window_end,
        a.window_request_units + a.window_reserved_request_units + requested > c.request_units),
      (3, 'delivery_limit_reached', c.week_end,
        a.week_delivered_units + a.week_reserved_delivered_units + delivered
          > c.weekly_delivered_units),
      (4, 'delivery_limit_reached', c.window_end,
        a.window_delivered_units + a.window_reserved_delivered_units + delivered
          > c.delivered_units)
    ) short (place, code, retry_at, applies)
    where short.applies
    order by short.place
    limit 1;
    if found then
      refused := json_build_object(
        'outcome', 'refused',
        'code', code,
        'retry_at', instant(retry_at),
        'retry_after_seconds', ceil(extract(epoch from retry_at - p_at))::integer,
        'allowance', allowance_json(c, a, p_at)
      );
      return;
    end if;
  end loop;
end $$;

-- Releases an operation's reservation. If the operation was settled, its units are counted in the
-- window and week that admitted it. They are not counted if the counters belong to a later window
-- or week by now. Returns the present counters.
drop function if exists release_units(operations);
create function release_units(o operations) returns allowances language plpgsql as $$
declare
  a allowances;
begin
  -- The update reads the counters from its target row, not from a joined copy. If it has waited for
  -- the lock, it therefore adds to the values that the last holder has written.
  update allowances set
    window_request_units =
      window_request_units + o.request_units * (o.window_start >= window_start)::integer,
    window_delivered_units =
      window_delivered_units + o.delivered_units * (o.window_start >= window_start)::integer,
    window_fresh_evidence_units = window_fresh_evidence_units
      + o.fresh_evidence_units * (o.window_start >= window_start)::integer,
    window_reserved_request_units = window_reserved_request_units
      - o.reserved_request_units * (o.window_start >= window_start)::integer,
    window_reserved_delivered_units = window_reserved_delivered_units
      - o.reserved_delivered_units * (o.window_start >= window_start)::integer,
    week_request_units =
      week_request_units + o.request_units * (o.week_start >= week_start)::integer,
    week_delivered_units =
      week_delivered_units + o.delivered_units * (o.week_start >= week_start)::integer,
    week_fresh_evidence_units = week_fresh_evidence_units
      + o.fresh_evidence_units * (o.week_start >= week_start)::integer,
    week_reserved_request_units = week_reserved_request_units
      - o.reserved_request_units * (o.week_start >= week_start)::integer,
    week_reserved_delivered_units = week_reserved_delivered_units
      - o.reserved_delivered_units * (o.week_start >= week_start)::integer,
    reserved_request_units = reserved_request_units - o.reserved_request_units,
    reserved_delivered_units = reserved_delivered_units - o.reserved_delivered_units
  where subscription_id = o.subscription_id
  returning * into a;
  return a;
end $$;
