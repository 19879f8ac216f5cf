-- Returns the usage report of the caller's subscription (specification 2). All keys of an account
-- have the same report, and reports are unmetered.
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
  a := units_in_use(c);
  return json_build_object(
    'outcome', 'found',
    'subscription', subscription_json(c),
    'usage', json_build_object(
      'request_units', a.window_request_units,
      'weekly_request_units', a.week_request_units,
      'delivered_units', a.window_delivered_units,
      'weekly_delivered_units', a.week_delivered_units,
      'fresh_evidence_units', a.window_fresh_evidence_units
    ),
    'limits', limits_json(c),
    'reservations', json_build_object(
      'request_units', a.reserved_request_units,
      'delivered_units', a.reserved_delivered_units
    ),
    'allowance', allowance_json(c, a, at)
  );
end $$;

-- Returns a subscription's state and period, for its usage report and the action `diagnostic`.
create or replace function subscription_json(c caller) returns json language plpgsql stable as $$
begin
  return json_build_object(
    'plan', c.plan,
    'status', c.status,
    'current_period_start', instant(c.period_start),
    'current_period_end', instant(c.period_end)
  );
end $$;

-- Returns a subscription's limits, for the same answers. A stored diagnostic contains them, so a new
-- member has to be optional in src/contract/operation.ts.
create or replace function limits_json(c caller) returns json language plpgsql immutable as $$
begin
  return json_build_object(
    'request_units', c.request_units,
    'weekly_request_units', c.weekly_request_units,
    'delivered_units', c.delivered_units,
    'weekly_delivered_units', c.weekly_delivered_units
  );
end $$;
