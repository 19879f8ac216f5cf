-- Functions that manage accounts and subscriptions.

-- Creates an account with its subscription and the subscription's counters.
create or replace function create_account(p_name text, p_plan text, p_status text)
returns json language plpgsql as $$
declare
  new_account_id bigint;
  new_subscription_id bigint;
begin
  insert into accounts (name) values (p_name) returning id into new_account_id;
  insert into subscriptions (account_id, plan, status, current_period_start, current_period_end)
  values (
    new_account_id, p_plan, p_status,
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()) + interval '1 month'
  )
  returning id into new_subscription_id;
  insert into allowances (subscription_id) values (new_subscription_id);
  return json_build_object('account_id', new_account_id, 'subscription_id', new_subscription_id);
end $$;

-- Changes a subscription; a null keeps the present value. The periods of an active subscription
-- always follow from its anchor, even after interruptions. A trial that is set after the end of its
-- period starts a new period. Returns null if the account does not exist.
create or replace function set_subscription(p_account_id bigint, p_plan text, p_status text)
returns json language plpgsql as $$
declare
  s subscriptions;
  c caller;
begin
  update subscriptions set
    plan = coalesce(p_plan, plan),
    status = coalesce(p_status, status),
    resumes_as = case when p_status is null then resumes_as end
  where account_id = p_account_id
  returning * into s;
  if not found then return null; end if;
  if s.status = 'trialing' and s.current_period_end <= now() then
    update subscriptions set
      current_period_start = date_trunc('milliseconds', now()),
      current_period_end = date_trunc('milliseconds', now()) + interval '1 month'
    where id = s.id
    returning * into s;
  end if;
  c := caller_of_subscription(s, now());
  return json_build_object(
    'account_id', c.account_id,
    'subscription_id', c.subscription_id,
    'plan', c.plan,
    'status', c.status,
    'current_period_start', instant(c.period_start),
    'current_period_end', instant(c.period_end)
  );
end $$;

-- Suspends a subscription until resume_subscription restores its status. A second call changes
-- nothing. Returns the status; null if the account does not exist. A canceled subscription remains
-- canceled.
create or replace function suspend_subscription(p_account_id bigint) returns text language sql as $$
  update subscriptions set
    resumes_as = case
      when status in ('paused', 'canceled') then resumes_as
      else status
    end,
    status = case status when 'canceled' then status else 'paused' end
  where account_id = p_account_id
  returning status
$$;

-- Restores the status that a subscription had before its suspension. The end of a trial remains as
-- it was. A subscription that is paused without a suspension becomes active. Other ones remain as
-- they are. Returns the status; null if the account does not exist.
create or replace function resume_subscription(p_account_id bigint) returns text language sql as $$
  update subscriptions set
    status = case status when 'paused' then coalesce(resumes_as, 'active') else status end,
    resumes_as = null
  where account_id = p_account_id
  returning status
$$;

-- Returns the id of the demo's account. Creates the account, on the plan `demo`, if there is none.
create or replace function create_demo_account()
returns bigint language plpgsql as $$
declare
  account bigint := (select id from accounts where is_demo);
begin
  if account is null then
    account := create_account('demo', 'demo', 'active') ->> 'account_id';
    update accounts set is_demo = true where id = account;
  end if;
  return account;
end $$;

-- Returns an account's present limits and usage; null if it does not exist.
create or replace function account_report(p_account_id bigint)
returns json language sql stable as $$
  select json_build_object(
    'subscription_id', s.id,
    'current_period_start', instant(c.period_start),
    'current_period_end', instant(c.period_end),
    'limits', to_jsonb(p) - 'name',
    'usage', json_build_object(
      'window_request_units', used.window_request_units,
      'window_delivered_units', used.window_delivered_units,
      'weekly_request_units', used.week_request_units,
      'weekly_delivered_units', used.week_delivered_units,
      'reserved_request_units', used.reserved_request_units,
      'reserved_delivered_units', used.reserved_delivered_units
    )
  )
  from subscriptions s
  join plans p on p.name = s.plan
  cross join lateral caller_of_subscription(s, now()) c
  cross join lateral counted_units(s.id, c.window_start, c.week_start) used
  where s.account_id = p_account_id
$$;
