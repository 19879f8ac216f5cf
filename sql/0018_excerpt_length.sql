-- Excerpts have at most 600 characters, also in the database. Where longer ones are left from an
-- earlier version, the constraint is added after these have been cut (limit_excerpts): before, it
-- would refuse to withdraw them.
do $$
begin
  if not exists (select from evidence e where length(e.excerpt) > 600) then
    alter table evidence add constraint evidence_excerpt_length check (length(excerpt) <= 600);
  end if;
end $$;

-- Statements of a company's identifier, to find every company that has one of its names.
create index company_join_names_company on company_join_names (source_id, external_id);
