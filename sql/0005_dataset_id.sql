-- Which dataset this is: an index that was saved for another one is refused.
alter table dataset_clock add column dataset_id uuid not null default gen_random_uuid();
