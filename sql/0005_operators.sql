-- What operators see of keys, and the demo's plan and account.

alter table api_keys
  -- First characters of the key, by which its holder recognizes it. Null: made by an earlier version.
  add column prefix text,
  -- Day in UTC on which a request was last answered for the key.
  add column last_used_on date,
  -- From then on the key opens nothing. Null: it does not expire.
  add column expires_at timestamptz;

alter table accounts
  -- The account of the demo, which `admin demo remove` deletes with all that it has.
  add column is_demo boolean not null default false;
create unique index accounts_one_demo on accounts (is_demo) where is_demo;

insert into plans values ('demo', 25, 3600, 100, 1000, 1000, 10000) on conflict (name) do nothing;

-- The demo account of an earlier version is recognized by its names. It keeps its plan.
update accounts set is_demo = true
where id = (
  select min(a.id)
  from accounts a
  join api_keys k on k.account_id = a.id and k.name = 'demo'
  where a.name = 'demo' and exists (select from sources s where s.name = 'demo')
);

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
drop trigger ledger_append_only on ledger;
create trigger ledger_append_only before update or truncate on ledger
  for each statement execute function refuse_ledger_change();
