-- Returns a subscription's state and limits at an instant, for the action `diagnostic`.
create or replace function subscription_report(p_subscription_id bigint, p_at timestamptz)
returns table (subscription json, limits json) language sql stable as $$
  select
    json_build_object(
      'plan', p.name,
      'status', s.status,
      'current_period_start', instant(t.period_start),
      'current_period_end', instant(t.period_end)
    ),
    json_build_object(
      'request_units', p.request_units,
      'weekly_request_units', p.weekly_request_units,
      'delivered_units', p.delivered_units,
      'weekly_delivered_units', p.weekly_delivered_units
    )
  from subscriptions s
  join plans p on p.name = s.plan
  cross join lateral subscription_terms(
    s.status, s.current_period_start, s.current_period_end, p.window_seconds, p_at) t
  where s.id = p_subscription_id
$$;
