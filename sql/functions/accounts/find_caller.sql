-- Functions that find the holder of a key, and the terms of the subscription at an instant, by
-- indexed reads.
--
-- Every part is computed once, in a separate subquery. `offset 0` keeps the planner from copying an
-- expression to each place of its use. More expressions would take longer to prepare.

-- Returns entitlement, period, window and week of a subscription at an instant. An active
-- subscription's periods are calendar months from its anchor. A trial has one period. Windows are
-- counted from the epoch, weeks from the start of the period. The last week of a period ends with
-- the period. Sessions run in UTC, so months start in UTC.
create or replace function subscription_terms(
  p_status text,
  p_anchor timestamptz,
  p_end timestamptz,
  p_window_seconds integer,
  p_at timestamptz
) returns table (
  entitled boolean,
  period_start timestamptz,
  period_end timestamptz,
  window_start timestamptz,
  window_end timestamptz,
  week_start timestamptz,
  week_end timestamptz
) language sql stable as $$
  select
    is_entitled(p_status, p_anchor, p_end, p_at),
    p.period_start,
    p.period_end,
    c.window_start,
    c.window_start + c.window_length,
    c.week_start,
    least(c.week_start + interval '7 days', p.period_end)
  from (
    select
      p_anchor + make_interval(months => m.months) as period_start,
      case p_status
        when 'active' then p_anchor + make_interval(months => m.months + 1)
        else p_end
      end as period_end
    from (
      select case
        when p_status = 'active' and p_at >= p_anchor + interval '1 month'
          then months_between(p_anchor, p_at)
        else 0
      end as months
      offset 0
    ) m
    offset 0
  ) p
  cross join lateral (
    select
      l.window_length,
      date_bin(l.window_length, p_at, timestamptz 'epoch') as window_start,
      date_bin('7 days', greatest(p_at, p.period_start), p.period_start) as week_start
    from (select make_interval(secs => p_window_seconds) as window_length offset 0) l
    offset 0
  ) c
$$;

-- Returns whether a subscription may be used at an instant.
create or replace function is_entitled(
  p_status text,
  p_anchor timestamptz,
  p_end timestamptz,
  p_at timestamptz
) returns boolean language sql immutable as $$
  select (p_status = 'active' and p_anchor <= p_at) or (p_status = 'trialing' and p_at < p_end)
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

-- Returns the code with which a read by the holder of a key is refused, or null. Sequential scans
-- are off, because the planner would otherwise read and hash small tables as a whole. That costs
-- twice as much as looking up one row of each.
create or replace function refusal_of_key(p_key_hash bytea, p_at timestamptz)
returns text language plpgsql stable set enable_seqscan = off as $$
declare
  entitled boolean;
begin
  select is_entitled(s.status, s.current_period_start, s.current_period_end, p_at) into entitled
  from subscription_of_key(p_key_hash, p_at) s;
  return case
    when entitled is null then 'invalid_api_key'
    when not entitled then 'subscription_required'
  end;
end $$;

-- Returns the holder of a key with the terms of the subscription, or no row. The planner inlines it
-- into the calling query.
create or replace function caller_row(p_key_hash bytea, p_at timestamptz)
returns setof caller language sql stable as $$
  select
    s.account_id,
    s.id,
    s.status,
    p.name,
    p.page_limit,
    p.window_seconds,
    p.request_units,
    p.weekly_request_units,
    p.delivered_units,
    p.weekly_delivered_units,
    p.reads_per_minute,
    t.entitled,
    t.period_start,
    t.period_end,
    t.window_start,
    t.window_end,
    t.week_start,
    t.week_end
  from subscription_of_key(p_key_hash, p_at) s
  join plans p on p.name = s.plan
  cross join lateral subscription_terms(
    s.status, s.current_period_start, s.current_period_end, p.window_seconds, p_at) t
$$;

-- Returns the holder of a key; null if the key is unknown, revoked or expired.
create or replace function caller_of_key(p_key_hash bytea, p_at timestamptz)
returns caller language plpgsql stable set enable_seqscan = off as $$
declare
  c caller;
begin
  select * into c from caller_row(p_key_hash, p_at);
  if not found then return null; end if;
  return c;
end $$;

-- Returns the holder of a key as a row, or no row.
create or replace function find_caller(p_key_hash bytea, p_at timestamptz)
returns setof caller language sql stable as $$
  select * from caller_of_key(p_key_hash, p_at) c where c.account_id is not null
$$;
