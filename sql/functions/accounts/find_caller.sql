-- Functions that find the holder of a key, and the terms of the subscription at an instant, by
-- indexed reads.

-- Returns the holder of a subscription with its terms at an instant. An active subscription's
-- periods are calendar months from its anchor. A trial has one period. Windows are counted from the
-- epoch, weeks from the start of the period. The last week of a period ends with the period. Sessions
-- run in UTC, so months start in UTC.
create or replace function caller_of_subscription(s subscriptions, p_at timestamptz)
returns caller language plpgsql stable as $$
declare
  c caller;
  anchor timestamptz := s.current_period_start;
  months integer := 0;
  window_length interval;
begin
  select
    s.account_id, s.id, s.status, p.name, p.page_limit, p.window_seconds, p.request_units,
    p.weekly_request_units, p.delivered_units, p.weekly_delivered_units, p.reads_per_minute
  into strict c
  from plans p where p.name = s.plan;
  c.entitled := is_entitled(s, p_at);
  c.period_start := anchor;
  c.period_end := s.current_period_end;
  if s.status = 'active' then
    if p_at >= anchor + interval '1 month' then months := months_between(anchor, p_at); end if;
    c.period_start := anchor + make_interval(months => months);
    c.period_end := anchor + make_interval(months => months + 1);
  end if;
  window_length := make_interval(secs => c.window_seconds);
  c.window_start := date_bin(window_length, p_at, timestamptz 'epoch');
  c.window_end := c.window_start + window_length;
  c.week_start := date_bin('7 days', greatest(p_at, c.period_start), c.period_start);
  c.week_end := least(c.week_start + interval '7 days', c.period_end);
  return c;
end $$;

-- Returns whether a subscription may be used at an instant.
create or replace function is_entitled(s subscriptions, p_at timestamptz) returns boolean
language sql immutable as $$
  select (s.status = 'active' and s.current_period_start <= p_at)
    or (s.status = 'trialing' and p_at < s.current_period_end)
$$;

-- Returns the number of whole calendar months from an anchor to a later instant.
create or replace function months_between(p_anchor timestamptz, p_at timestamptz)
returns integer language plpgsql stable as $$
declare
  months integer := 12 * (date_part('year', p_at) - date_part('year', p_anchor))
    + date_part('month', p_at) - date_part('month', p_anchor);
begin
  if p_anchor + make_interval(months => months) > p_at then months := months - 1; end if;
  return months;
end $$;

-- Returns the subscription of a key, or no row if the key is unknown, revoked or expired. The
-- planner inlines it into the calling query.
create or replace function subscription_of_key(p_key_hash bytea, p_at timestamptz)
returns setof subscriptions language sql stable as $$
  select s.*
  from api_keys k
  join subscriptions s on s.account_id = k.account_id
  where k.hash = p_key_hash and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > p_at)
$$;

-- Returns the holder of a key; null if the key is unknown, revoked or expired. Sequential scans are
-- off, because the planner would otherwise read and hash small tables as a whole. That costs twice
-- as much as looking up one row of each.
create or replace function caller_of_key(p_key_hash bytea, p_at timestamptz)
returns caller language plpgsql stable set enable_seqscan = off as $$
declare
  s subscriptions;
begin
  select * into s from subscription_of_key(p_key_hash, p_at);
  if not found then return null; end if;
  return caller_of_subscription(s, p_at);
end $$;

-- Returns the code with which a read by the holder of a key is refused, or null. A read needs no
-- other terms. With them, it took a fifth to a third longer in the database (2026-11-29).
create or replace function refusal_of_key(p_key_hash bytea, p_at timestamptz)
returns text language plpgsql stable set enable_seqscan = off as $$
declare
  entitled boolean;
begin
  select is_entitled(s, p_at) into entitled from subscription_of_key(p_key_hash, p_at) s;
  return case
    when entitled is null then 'invalid_api_key'
    when not entitled then 'subscription_required'
  end;
end $$;
