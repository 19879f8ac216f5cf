-- Records observations that a search has acquired. Returns the ids of the new observations. The
-- dataset's clock serializes writers, so ids above the previous maximum belong to this statement.
create or replace function acquire_observations(p_records jsonb) returns bigint[]
language plpgsql as $$
declare
  last_id bigint;
begin
  perform from dataset_clock for update;
  select coalesce(max(id), 0) into last_id from observations;
  perform record_observations(p_records);
  return array(select id from observations where id > last_id order by id);
end $$;
