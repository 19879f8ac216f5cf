-- Operations say themselves what settling and answering needs to know of their action, and shortlists
-- are lists of ids.

alter table operations
  -- What the entries are checked against again when they are settled. Null: nothing.
  add column filters jsonb,
  -- Whether the answer shows hostnames. Null: claimed by the last version, whose filters stand among
  -- the inputs.
  add column shows_hostnames boolean;

-- A shortlist is the companies of its entries, and lists that go together: an observation and the
-- place of its entry. body is left to what a page froze to go on from, and to shortlists of the last
-- version.
alter table shortlists
  alter column body drop not null,
  add column facts jsonb,
  add column company_ids bigint[],
  add column places integer[],
  add column observation_ids bigint[],
  add constraint shortlists_form check (num_nonnulls(body, company_ids) = 1),
  -- Compressing the lists and moving them out of the row costs several times the insert.
  alter column company_ids set storage external,
  alter column places set storage external,
  alter column observation_ids set storage external,
  set (toast_tuple_target = 8160);
