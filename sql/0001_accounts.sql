-- Who calls: plans, accounts, their one subscription each, and API keys.

create table plans (
  name text primary key constraint plans_name_form check (name ~ '^[a-z0-9][a-z0-9_-]{0,49}$'),
  page_limit integer not null,
  window_seconds integer not null,
  request_units integer not null,
  weekly_request_units integer not null,
  delivered_units integer not null,
  weekly_delivered_units integer not null,
  -- Unmetered reads per minute that one process answers a subscription.
  reads_per_minute integer not null default 600,
  constraint plans_reads_per_minute_range check (reads_per_minute between 1 and 1000000),
  constraint plans_page_limit_range check (page_limit between 1 and 100),
  constraint plans_window_seconds_range check (window_seconds between 1 and 604800),
  constraint plans_units_not_negative check (
    least(request_units, weekly_request_units, delivered_units, weekly_delivered_units) >= 0
  )
);

insert into plans values
  ('builder', 25, 3600, 120, 2000, 1000, 10000, 600),
  ('professional', 50, 3600, 600, 10000, 5000, 50000, 3000),
  ('demo', 25, 3600, 100, 1000, 1000, 10000, 600);

create table accounts (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now(),
  -- The account of the demo, which `admin demo remove` deletes with all that it has.
  is_demo boolean not null default false,
  constraint accounts_name_length check (length(name) between 1 and 200)
);
create unique index accounts_one_demo on accounts (is_demo) where is_demo;

-- current_period_start is the anchor: an active period rolls on from it by whole months (see
-- find_caller), a trial ends once and for all at current_period_end.
create table subscriptions (
  id bigint generated always as identity primary key,
  account_id bigint not null unique references accounts,
  plan text not null references plans,
  status text not null,
  current_period_start timestamptz not null,
  current_period_end timestamptz not null,
  -- Status that `admin customer resume` restores. Null: the subscription is not suspended.
  resumes_as text,
  constraint subscriptions_status_known
    check (status in ('trialing', 'active', 'past_due', 'paused', 'canceled')),
  constraint subscriptions_suspended_is_paused
    check (resumes_as is null or (status = 'paused' and resumes_as <> 'paused')),
  constraint subscriptions_period_order check (current_period_end > current_period_start)
);

-- Only the SHA-256 of a key is kept; the unique index is the one read of authentication.
create table api_keys (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  name text not null default '',
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- First characters of the key, by which its holder recognizes it.
  prefix text not null,
  -- Day in UTC on which a request was last answered for the key.
  last_used_on date,
  -- From then on the key opens nothing. Null: it does not expire.
  expires_at timestamptz,
  constraint api_keys_hash_length check (length(hash) = 32)
);

create index api_keys_account on api_keys (account_id);
