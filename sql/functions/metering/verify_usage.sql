-- Compares the ledger with the counters and the operations. Returns one row per difference.
create or replace function verify_usage()
returns table (subscription_id bigint, operation_id bigint, what text, expected bigint, actual bigint)
language sql stable as $$
  -- Compares counters with the ledger and the unfinished operations.
  select a.subscription_id, null::bigint, counter.what, counter.expected, counter.actual
  from allowances a
  cross join lateral settled_units(a.subscription_id, a.window_start, a.week_start) l
  cross join lateral reserved_units(a.subscription_id, a.window_start, a.week_start, null) r
  cross join lateral (values
    ('window_request_units', l.window_request_units, a.window_request_units),
    ('window_delivered_units', l.window_delivered_units, a.window_delivered_units),
    ('window_fresh_evidence_units', l.window_fresh_evidence_units, a.window_fresh_evidence_units),
    ('week_request_units', l.week_request_units, a.week_request_units),
    ('week_delivered_units', l.week_delivered_units, a.week_delivered_units),
    ('week_fresh_evidence_units', l.week_fresh_evidence_units, a.week_fresh_evidence_units),
    ('window_reserved_request_units', r.window_request_units, a.window_reserved_request_units),
    ('window_reserved_delivered_units', r.window_delivered_units, a.window_reserved_delivered_units),
    ('week_reserved_request_units', r.week_request_units, a.week_reserved_request_units),
    ('week_reserved_delivered_units', r.week_delivered_units, a.week_reserved_delivered_units),
    ('reserved_request_units', r.request_units, a.reserved_request_units),
    ('reserved_delivered_units', r.delivered_units, a.reserved_delivered_units)
  ) counter (what, expected, actual)
  where counter.expected <> counter.actual
  union all
  -- Compares settled operations with their ledger rows, in both directions, and both with the
  -- subscription.
  select
    coalesce(o.subscription_id, l.subscription_id),
    coalesce(o.id, l.operation_id),
    units.what,
    units.expected,
    units.actual
  from (select * from operations where request_units > 0) o
  full join ledger l on l.operation_id = o.id
  left join subscriptions s on s.id = o.subscription_id
  cross join lateral (values
    ('operation_account_id', s.account_id, o.account_id),
    ('ledger_subscription_id', o.subscription_id, l.subscription_id),
    ('settled_request_units', coalesce(l.request_units, 0), coalesce(o.request_units, 0)),
    ('settled_delivered_units', coalesce(l.delivered_units, 0), coalesce(o.delivered_units, 0)),
    ('settled_fresh_evidence_units',
      coalesce(l.fresh_evidence_units, 0), coalesce(o.fresh_evidence_units, 0))
  ) units (what, expected, actual)
  where units.expected <> units.actual
$$;
