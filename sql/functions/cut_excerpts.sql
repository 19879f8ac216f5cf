-- Cuts excerpts that exceed the max length. Returns the number of cut excerpts.
--
-- p_cuts is [{id, md5, excerpt}] with the md5 of the long excerpt. An excerpt that a revision has
-- replaced meanwhile is not changed. If an observation has no texts, its uncut excerpts become its
-- texts. A search then finds the observation by the same words, and the indexes of processes need
-- not read it again. If one of its excerpts is withdrawn, an index has the remaining excerpts
-- instead of the texts, so the indexes must read the observation again.
create or replace function cut_excerpts(p_cuts jsonb) returns integer language plpgsql as $$
declare
  touched bigint[] := array(
    select distinct w.observation_id
    from jsonb_to_recordset(p_cuts) as c (id bigint)
    join evidence e on e.id = c.id
    join evidence w on w.observation_id = e.observation_id and w.withdrawn_at is not null
  );
  cut integer;
begin
  -- Every write to the dataset first locks the clock. Another order could cause a deadlock.
  perform advance_dataset_clock();
  with long_excerpts as (
    select e.id, e.observation_id, c.excerpt
    from jsonb_to_recordset(p_cuts) as c (id bigint, md5 text, excerpt text)
    join evidence e on e.id = c.id and md5(e.excerpt) = c.md5
    for update of e
  ), kept as (
    update observations o set texts = array(
      select e.excerpt from evidence e
      where e.observation_id = o.id and e.withdrawn_at is null
      order by e.id
    )
    where o.id in (select observation_id from long_excerpts) and o.texts = '{}'
  )
  update evidence e set excerpt = w.excerpt from long_excerpts w where e.id = w.id;
  get diagnostics cut = row_count;
  if touched <> '{}' then
    perform touch_observations(touched);
  end if;
  return cut;
end $$;

-- Adds the constraint on the length of excerpts if all excerpts are short enough. Returns whether
-- the constraint exists. A separate statement validates it, because validation needs a weaker lock.
create or replace function limit_excerpts() returns boolean language plpgsql as $$
begin
  if exists (select from pg_constraint c where c.conname = 'evidence_excerpt_length') then
    return true;
  end if;
  if exists (select from evidence e where length(e.excerpt) > 600) then
    return false;
  end if;
  alter table evidence
    add constraint evidence_excerpt_length check (length(excerpt) <= 600) not valid;
  return true;
end $$;

-- Validates the constraint on the length of excerpts, unless it was validated before.
create or replace function validate_excerpts() returns void language plpgsql as $$
begin
  if exists (
    select from pg_constraint c where c.conname = 'evidence_excerpt_length' and not c.convalidated
  ) then
    alter table evidence validate constraint evidence_excerpt_length;
  end if;
end $$;
