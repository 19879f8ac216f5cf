-- Two legal forms of one name are two companies, and what a source says of a register can be wrong.

-- legalFormOf() of the name: empty where it has none, and where it was stored before this column. A
-- company has a row for each form that it was given.
alter table company_names
  add column legal_form text not null default '',
  drop constraint company_names_pkey,
  add primary key (source_id, normalized_name, country, company_id, legal_form);

-- What merges wrote down of names, in the same terms.
update company_merges m set moved = jsonb_set(m.moved, '{names}', coalesce((
  select jsonb_agg(n || '{"legal_form": ""}' order by place)
  from jsonb_array_elements(m.moved -> 'names') with ordinality x (n, place)
), '[]'));

-- The identifiers that the record gives its company, or null: a company has one while one of its
-- observations gives it.
alter table observations add column company_identifiers text[];
update observations o set company_identifiers = i.given
from (
  select company_id, source_id, company_external_id,
    array_agg(scheme || ':' || value order by scheme) as given
  from company_identifiers
  group by 1, 2, 3
) i
where (o.company_id, o.source_id) = (i.company_id, i.source_id)
  and o.company_external_id is not distinct from i.company_external_id;

-- The one has a parameter more, the other a column.
drop function if exists company_of_name(integer, text, text[], text, text);
drop function if exists company_mentions(jsonb, bigint[], bigint[]);
