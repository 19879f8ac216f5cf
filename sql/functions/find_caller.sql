-- Who holds a key, and what the subscription allows at an instant: one indexed read.
--
-- Terms are computed by assignments, because a query over the same expressions costs several times
-- as much: the planner repeats each expression wherever it is used, and every call prepares them all.

-- Entitlement, period, window and week of a subscription at an instant. An active subscription's
-- period rolls on by calendar months from its anchor. A trial has one period. Windows are cut on the
-- epoch, weeks from the period's start (the last one of a period ends with it). Sessions run in UTC,
-- so that months are cut there.
drop function if exists subscription_terms(subscriptions, plans, timestamptz);
create or replace function subscription_terms(
  p_status text,
  p_anchor timestamptz,
  p_end timestamptz,
  p_window_seconds integer,
  at timestamptz,
  out entitled boolean,
  out period_start timestamptz,
  out period_end timestamptz,
  out window_start timestamptz,
  out window_end timestamptz,
  out week_start timestamptz,
  out week_end timestamptz
) language plpgsql stable as $$
declare
  months integer;
begin
  entitled := (p_status = 'active' and p_anchor <= at) or (p_status = 'trialing' and at < p_end);
  period_start := p_anchor;
  period_end := p_end;
  if p_status = 'active' then
    -- Calendar months between anchor and instant; one less where the day is not reached.
    months := 12 * (date_part('year', at) - date_part('year', p_anchor))
      + date_part('month', at) - date_part('month', p_anchor);
    if p_anchor + make_interval(months => months) > at then months := months - 1; end if;
    months := greatest(0, months);
    period_start := p_anchor + make_interval(months => months);
    period_end := p_anchor + make_interval(months => months + 1);
  end if;
  window_start :=
    to_timestamp(floor(extract(epoch from at) / p_window_seconds) * p_window_seconds);
  window_end := window_start + make_interval(secs => p_window_seconds);
  week_start := period_start + make_interval(
    days => 7 * greatest(0, floor(extract(epoch from at - period_start) / 604800))::integer);
  week_end := least(week_start + interval '7 days', period_end);
end $$;

-- Returns null if the key is unknown or revoked.
create or replace function caller_of_key(p_key_hash bytea, p_at timestamptz)
returns caller language plpgsql stable as $$
declare
  c caller;
  anchor timestamptz;
  ends_at timestamptz;
  terms record;
begin
  select
    k.account_id,
    s.id,
    s.status,
    s.current_period_start,
    s.current_period_end,
    p.name,
    p.page_limit,
    p.window_seconds,
    p.request_units,
    p.weekly_request_units,
    p.delivered_units,
    p.weekly_delivered_units
  into
    c.account_id,
    c.subscription_id,
    c.status,
    anchor,
    ends_at,
    c.plan,
    c.page_limit,
    c.window_seconds,
    c.request_units,
    c.weekly_request_units,
    c.delivered_units,
    c.weekly_delivered_units
  from api_keys k
  join subscriptions s on s.account_id = k.account_id
  join plans p on p.name = s.plan
  where k.hash = p_key_hash and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > p_at);
  if not found then return null; end if;
  terms := subscription_terms(c.status, anchor, ends_at, c.window_seconds, p_at);
  c.entitled := terms.entitled;
  c.period_start := terms.period_start;
  c.period_end := terms.period_end;
  c.window_start := terms.window_start;
  c.window_end := terms.window_end;
  c.week_start := terms.week_start;
  c.week_end := terms.week_end;
  return c;
end $$;

-- The holder of a key as a row, or no row.
create or replace function find_caller(p_key_hash bytea, p_at timestamptz)
returns setof caller language sql stable as $$
  select * from caller_of_key(p_key_hash, p_at) c where c.account_id is not null
$$;
