-- A moment of the dataset's clock names one state of what may be shown: what could be shown at that
-- moment can be shown while the moment lasts, unless it has expired. The functions that write to the
-- dataset advance the clock. These triggers advance it for any other statement, such as one that an
-- operator writes by hand.

create function advance_dataset_clock_once() returns trigger language plpgsql as $$
begin
  -- Also where a savepoint has come between: the setting belongs to the transaction.
  if current_setting('company_evidence.clock_advanced_by', true)
    is distinct from pg_current_xact_id()::text
  then
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
