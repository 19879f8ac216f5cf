-- Compares the ledger with the counters and the operations. Returns one row per difference.
create or replace function verify_usage()
returns table (subscription_id bigint, operation_id bigint, what text, expected bigint, actual bigint)
language sql stable as $$
  -- Compares counters with the ledger and the unfinished operations.
  select
    a.subscription_id,
    null::bigint,
    stored.key,
    (a.counted ->> stored.key)::bigint,
    stored.value::bigint
  from (
    select
      subscription_id,
      to_jsonb(a) as counters,
      to_jsonb(counted_units(subscription_id, window_start, week_start)) as counted
    from allowances a
    offset 0
  ) a
  cross join lateral jsonb_each_text(a.counters) stored
  where stored.value <> a.counted ->> stored.key
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
