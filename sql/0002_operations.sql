-- What was asked and what it cost: operations, frozen shortlists, the ledger, the allowance counters.

create table operations (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  subscription_id bigint not null references subscriptions,
  request_key text not null,
  action text not null,
  -- SHA-256 of action and normalized inputs. The scope is the same without the cursor.
  fingerprint bytea not null,
  scope bytea not null,
  inputs jsonb,
  status text not null,
  claimed_at timestamptz not null,
  deadline_at timestamptz not null,
  finished_at timestamptz,
  lease_token uuid,
  lease_expires_at timestamptz,
  message_id bigint,
  window_start timestamptz not null,
  week_start timestamptz not null,
  reserved_request_units integer not null,
  reserved_delivered_units integer not null,
  request_units integer not null default 0,
  delivered_units integer not null default 0,
  fresh_evidence_units integer not null default 0,
  failure_code text,
  result jsonb,
  -- Pages: where this page starts, whose frozen shortlist it cuts, and the cursor to the next one.
  shortlist_id bigint,
  start_position integer not null default 0,
  next_position integer,
  next_cursor text unique,
  -- What the entries are checked against again when they are settled. Null: nothing.
  filters jsonb,
  constraint operations_request_key_once unique (account_id, request_key),
  constraint operations_request_key_form
    check (length(request_key) between 1 and 255 and request_key !~ '[^\x20-\x7e]'),
  constraint operations_units_within_reservation check (
    request_units between 0 and reserved_request_units
    and delivered_units between 0 and reserved_delivered_units
    and fresh_evidence_units >= 0
  ),
  -- Every state has its timestamp and what belongs to it, and nothing else. Delivered work that has
  -- expired keeps its units, and a tombstone keeps its key.
  constraint operations_state check (
    case status
      when 'pending' then finished_at is null and inputs is not null and result is null
        and request_units = 0
      when 'processing' then finished_at is null and inputs is not null and result is null
        and request_units = 0
      when 'delivered' then finished_at is not null and result is not null and request_units > 0
        and failure_code is null
      when 'failed' then finished_at is not null and failure_code is not null and request_units = 0
      when 'expired' then finished_at is not null and result is null and inputs is null
        and next_cursor is null
      else false
    end
  ),
  constraint operations_lease check (
    (lease_token is not null) = (status = 'processing')
    and (lease_expires_at is not null) = (status = 'processing')
  ),
  constraint operations_next_page check ((next_cursor is null) or (next_position is not null))
) with (fillfactor = 70);

-- Unfinished work: for the sweep (by its deadline) and for reservations (by subscription).
create index operations_unfinished on operations (deadline_at)
  where status in ('pending', 'processing');
create index operations_reserving on operations (subscription_id)
  where status in ('pending', 'processing');
-- Unfinished background work, by its message.
create unique index operations_queued on operations (message_id)
  where status in ('pending', 'processing');
-- Recent deliveries of an account. What they contain may be read above the plan's rate of reads.
create index operations_delivered on operations (account_id, finished_at) where status = 'delivered';
-- Ended operations, oldest first, for their retention.
create index operations_retained on operations (finished_at) where status in ('delivered', 'failed');

-- State from which the next page of a search or listing continues: the ranked ids of the first page,
-- which are never planned or ranked again, or a position.
create table shortlists (
  operation_id bigint primary key references operations,
  body jsonb not null
);
-- Compressing the ids of a hundred companies costs several times the insert.
alter table shortlists alter column body set storage external;

-- Append-only, one settlement for each operation. The counters are a copy of it.
create table ledger (
  id bigint generated always as identity primary key,
  operation_id bigint not null references operations,
  subscription_id bigint not null references subscriptions,
  request_units integer not null,
  delivered_units integer not null,
  fresh_evidence_units integer not null,
  window_start timestamptz not null,
  week_start timestamptz not null,
  settled_at timestamptz not null,
  constraint ledger_one_settlement unique (operation_id),
  constraint ledger_units check (
    request_units > 0 and delivered_units >= 0 and fresh_evidence_units >= 0
  )
);
-- Counters are rebuilt for one subscription from a window's or week's start onwards.
create index ledger_window on ledger (subscription_id, window_start);
create index ledger_week on ledger (subscription_id, week_start);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;
create trigger ledger_append_only before update or truncate on ledger
  for each statement execute function refuse_ledger_change();

-- Only what belongs to the demo account may be deleted from the ledger.
create function refuse_ledger_deletion() returns trigger language plpgsql as $$
begin
  if exists (
    select from subscriptions s
    join accounts a on a.id = s.account_id
    where s.id = old.subscription_id and a.is_demo
  ) then
    return old;
  end if;
  raise exception 'the ledger is append-only';
end $$;
create trigger ledger_keeps_settlements before delete on ledger
  for each row execute function refuse_ledger_deletion();

-- Window and week in one row per subscription, locked last by every writer. As two rows, which claim
-- and settle locked in different orders, they deadlocked. A reservation counts against every window
-- and week until its operation ends.
create table allowances (
  subscription_id bigint primary key references subscriptions,
  window_start timestamptz not null default '-infinity',
  window_request_units integer not null default 0,
  window_delivered_units integer not null default 0,
  window_fresh_evidence_units integer not null default 0,
  week_start timestamptz not null default '-infinity',
  week_request_units integer not null default 0,
  week_delivered_units integer not null default 0,
  reserved_request_units integer not null default 0,
  reserved_delivered_units integer not null default 0,
  constraint allowances_not_negative check (
    least(
      window_request_units, window_delivered_units, window_fresh_evidence_units,
      week_request_units, week_delivered_units,
      reserved_request_units, reserved_delivered_units
    ) >= 0
  )
) with (fillfactor = 50);

-- When an account last had its turn in a queue. Its next message comes after those of accounts that
-- have waited longer (see read_in_turn).
create table queue_turns (
  queue text not null,
  account_id bigint not null references accounts on delete cascade,
  taken_at timestamptz not null,
  primary key (queue, account_id)
) with (fillfactor = 50);

-- Who asks, as every function that answers a caller reads it anew (see find_caller).
create type caller as (
  account_id bigint,
  subscription_id bigint,
  status text,
  plan text,
  page_limit integer,
  window_seconds integer,
  request_units integer,
  weekly_request_units integer,
  delivered_units integer,
  weekly_delivered_units integer,
  reads_per_minute integer,
  entitled boolean,
  period_start timestamptz,
  period_end timestamptz,
  window_start timestamptz,
  window_end timestamptz,
  week_start timestamptz,
  week_end timestamptz
);
