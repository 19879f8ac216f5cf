-- Every write to the dataset advances its clock, so a moment of the clock names one state of the
-- dataset: what may be shown at a moment may still be shown while the moment lasts, except for what
-- expires. These triggers hold that also for a write that does not advance the clock itself, such as
-- a statement that an operator writes by hand.

create function advance_dataset_clock_once() returns trigger language plpgsql as $$
begin
  -- The transaction that has advanced the clock is the one that wrote its row.
  if not exists (select from dataset_clock where xmin = pg_current_xact_id()::xid) then
    perform advance_dataset_clock();
  end if;
  return null;
end $$;

create trigger observations_advance_clock after update or delete or truncate on observations
  for each statement execute function advance_dataset_clock_once();
create trigger evidence_advance_clock after update or delete or truncate on evidence
  for each statement execute function advance_dataset_clock_once();
create trigger companies_advance_clock after update or delete or truncate on companies
  for each statement execute function advance_dataset_clock_once();
create trigger sources_advance_clock after update of permitted or delete or truncate on sources
  for each statement execute function advance_dataset_clock_once();
