-- Returns the usage report of the caller's subscription (specification 2). All keys of an account
-- have the same report, and reports are unmetered.
create or replace function read_usage(p_key_hash bytea, p_now timestamptz)
returns json language plpgsql stable as $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  a allowances;
  report record;
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  a := units_in_use(c);
  select * into report from subscription_report(c.subscription_id, at);
  return json_build_object(
    'outcome', 'found',
    'subscription', report.subscription,
    'usage', json_build_object(
      'request_units', a.window_request_units,
      'weekly_request_units', a.week_request_units,
      'delivered_units', a.window_delivered_units,
      'weekly_delivered_units', a.week_delivered_units,
      'fresh_evidence_units', a.window_fresh_evidence_units
    ),
    'limits', report.limits,
    'reservations', json_build_object(
      'request_units', a.reserved_request_units,
      'delivered_units', a.reserved_delivered_units
    ),
    'allowance', allowance_json(c, a, at)
  );
end $$;
