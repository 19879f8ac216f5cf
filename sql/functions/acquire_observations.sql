-- Records what a search has acquired. Returns the ids that are new by it: writers follow one another
-- by the dataset's clock, so ids above the last one before are this statement's own.
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
