-- The subscription usage report (specification 2): unmetered, shared by all keys of the account.
create or replace function read_usage(p_key_hash bytea, p_now timestamptz)
returns json language plpgsql stable as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
begin
  select * into c from find_caller(p_key_hash, at);
  if not found then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  return (
    select json_build_object(
      'outcome', 'found',
      'subscription', json_build_object(
        'plan', c.plan,
        'status', c.status,
        'current_period_start', instant(c.period_start),
        'current_period_end', instant(c.period_end)
      ),
      'usage', json_build_object(
        'request_units', a.window_request_units * counts.in_window,
        'weekly_request_units', a.week_request_units * counts.in_week,
        'delivered_units', a.window_delivered_units * counts.in_window,
        'weekly_delivered_units', a.week_delivered_units * counts.in_week,
        'fresh_evidence_units', a.window_fresh_evidence_units * counts.in_window
      ),
      'limits', json_build_object(
        'request_units', c.request_units,
        'weekly_request_units', c.weekly_request_units,
        'delivered_units', c.delivered_units,
        'weekly_delivered_units', c.weekly_delivered_units
      ),
      'reservations', json_build_object(
        'request_units', a.reserved_request_units,
        'delivered_units', a.reserved_delivered_units
      ),
      'allowance', allowance_json(c, at)
    )
    from allowances a
    -- Counters of an earlier window or week count for nothing in this one.
    cross join lateral (values (
      (a.window_start >= c.window_start)::integer, (a.week_start >= c.week_start)::integer
    )) counts (in_window, in_week)
    where a.subscription_id = c.subscription_id
  );
end $$;
