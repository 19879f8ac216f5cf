-- The subscription usage report (specification 2): unmetered, shared by all keys of the account.
--
-- The counts are one list, in the order in which the process names them (UsageCounts): as members of an
-- object, they would take longer to write than everything else takes together.
create or replace function read_usage(p_key_hash bytea, p_now timestamptz)
returns json language plpgsql stable as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  a allowances;
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  select * into a from allowances where subscription_id = c.subscription_id;
  -- Counters of another window or week are rebuilt by the next claim.
  if a.window_start <> c.window_start or a.week_start <> c.week_start then
    a := units_in_use(c);
  end if;
  return json_build_object(
    'outcome', 'found',
    'plan', c.plan,
    'status', c.status,
    'current_period_start', instant(c.period_start),
    'current_period_end', instant(c.period_end),
    'counts', array[
      a.window_request_units,
      a.week_request_units,
      a.window_delivered_units,
      a.week_delivered_units,
      a.window_fresh_evidence_units,
      c.request_units,
      c.weekly_request_units,
      c.delivered_units,
      c.weekly_delivered_units,
      a.reserved_request_units,
      a.reserved_delivered_units,
      c.window_seconds,
      a.window_reserved_request_units,
      a.week_reserved_request_units,
      ceil(date_part('epoch', c.window_end - at))::integer,
      ceil(date_part('epoch', c.week_end - at))::integer
    ]
  );
end $$;
