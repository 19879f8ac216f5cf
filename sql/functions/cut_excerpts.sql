-- Cuts excerpts that are longer than evidence may be. Returns how many were cut.
--
-- p_cuts: [{id, md5, excerpt}], the md5 being that of the long excerpt. An excerpt that a revision has
-- replaced meanwhile stays as it is. The long excerpts of an observation become its texts, so that a
-- search finds it by the same words: neither the index nor pollers have anything to follow.
create or replace function cut_excerpts(p_cuts jsonb) returns integer language plpgsql as $$
declare
  cut integer;
begin
  with wanted as (
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
    where o.id in (select observation_id from wanted) and o.texts = '{}'
  )
  update evidence e set excerpt = w.excerpt from wanted w where e.id = w.id;
  get diagnostics cut = row_count;
  return cut;
end $$;
