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
      'subscription', r.subscription,
      'usage', json_build_object(
        'request_units', u.window_request_units,
        'weekly_request_units', u.week_request_units,
        'delivered_units', u.window_delivered_units,
        'weekly_delivered_units', u.week_delivered_units,
        'fresh_evidence_units', u.window_fresh_evidence_units
      ),
      'limits', r.limits,
      'reservations', json_build_object(
        'request_units', u.reserved_request_units,
        'delivered_units', u.reserved_delivered_units
      ),
      'allowance', allowance_json(c, at)
    )
    from units_in_use(c) u, subscription_report(c.subscription_id, at) r
  );
end $$;
