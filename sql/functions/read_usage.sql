-- Returns the usage reports of several callers (specification 2). All keys of an account have the
-- same report, and reports are unmetered. Simultaneous requests share a statement, because a
-- statement costs more than a report.
--
-- p_key_hashes are the SHA-256 of the keys in hexadecimal. Row N is the report of the key at
-- position N. The counts are one list, in the order of UsageCounts, because writing them as members
-- of an object would take longer than all other work. Sequential scans are off, because the planner
-- would otherwise read and hash small tables as a whole. That costs more than looking up the rows
-- of a few keys.
create or replace function read_usages(p_key_hashes text[], p_now timestamptz)
returns setof json language plpgsql stable set enable_seqscan = off as $$
declare
  at timestamptz := coalesce(p_now, now());
begin
  return query
  select case
    when c.account_id is null then refusal('invalid_api_key')
    when not c.entitled then refusal('subscription_required')
    else json_build_object(
      'outcome', 'found',
      'plan', c.plan,
      'status', c.status,
      'current_period_start', instant(c.period_start),
      'current_period_end', instant(c.period_end),
      'counts', array[
        (u.counters).window_request_units,
        (u.counters).week_request_units,
        (u.counters).window_delivered_units,
        (u.counters).week_delivered_units,
        (u.counters).window_fresh_evidence_units,
        c.request_units,
        c.weekly_request_units,
        c.delivered_units,
        c.weekly_delivered_units,
        (u.counters).reserved_request_units,
        (u.counters).reserved_delivered_units,
        c.window_seconds,
        (u.counters).window_reserved_request_units,
        (u.counters).week_reserved_request_units,
        ceil(date_part('epoch', c.window_end - at))::integer,
        ceil(date_part('epoch', c.week_end - at))::integer
      ]
    )
  end
  from unnest(p_key_hashes) with ordinality k (hash, place)
  -- Without the offset, the planner may read all keys and compute the terms of all subscriptions.
  left join lateral (select * from caller_row(decode(k.hash, 'hex'), at) offset 0) c on true
  left join allowances s on s.subscription_id = c.subscription_id
  cross join lateral (
    -- Counters of an earlier window or week are computed here. The next claim stores them.
    select case
      when s.window_start = c.window_start and s.week_start = c.week_start then s
      when c.entitled then units_in_use(c)
    end as counters
    offset 0
  ) u
  order by k.place;
end $$;
