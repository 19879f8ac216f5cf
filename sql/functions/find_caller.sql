-- Who holds a key, and what the subscription allows at an instant: one indexed read.
-- An active subscription's period rolls on by calendar months from its anchor; a trial has one
-- period. Windows are cut on the epoch, weeks from the period's start (the last one of a period
-- ends with it). Sessions run in UTC, so that months are cut there.
create or replace function subscription_terms(s subscriptions, p plans, at timestamptz)
returns table (
  entitled boolean,
  period_start timestamptz,
  period_end timestamptz,
  window_start timestamptz,
  window_end timestamptz,
  week_start timestamptz,
  week_end timestamptz
) language sql stable as $$
  select
    (s.status = 'active' and s.current_period_start <= at)
      or (s.status = 'trialing' and at < s.current_period_end),
    period.starts,
    period.ends,
    windows.starts,
    windows.starts + make_interval(secs => p.window_seconds),
    weeks.starts,
    least(weeks.starts + interval '7 days', period.ends)
  from
    -- Calendar months between anchor and instant; one less where the day is not reached.
    (select (extract(year from at) - extract(year from s.current_period_start)) * 12
        + extract(month from at) - extract(month from s.current_period_start) as n) months,
    lateral (select greatest(0, case
        when s.status <> 'active' then 0
        when s.current_period_start + make_interval(months => months.n::integer) <= at
          then months.n
        else months.n - 1
      end)::integer as n) whole,
    lateral (select
        s.current_period_start + make_interval(months => whole.n) as starts,
        case when s.status = 'active'
          then s.current_period_start + make_interval(months => whole.n + 1)
          else s.current_period_end
        end as ends) period,
    lateral (select to_timestamp(
        floor(extract(epoch from at) / p.window_seconds) * p.window_seconds) as starts) windows,
    lateral (select period.starts + make_interval(
        days => greatest(0, floor(extract(epoch from at - period.starts) / 604800))::integer * 7
      ) as starts) weeks
$$;

create or replace function find_caller(p_key_hash bytea, p_at timestamptz)
returns setof caller language sql stable as $$
  select
    k.account_id,
    s.id,
    s.status,
    p.name,
    p.page_limit,
    p.window_seconds,
    p.request_units,
    p.weekly_request_units,
    p.delivered_units,
    p.weekly_delivered_units,
    t.entitled,
    t.period_start,
    t.period_end,
    t.window_start,
    t.window_end,
    t.week_start,
    t.week_end
  from api_keys k
  join subscriptions s on s.account_id = k.account_id
  join plans p on p.name = s.plan
  cross join lateral subscription_terms(s, p, p_at) t
  where k.hash = p_key_hash and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > p_at)
$$;
