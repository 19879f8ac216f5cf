-- What registers call companies, companies that turned out to be one, and names without legal forms.

-- An identifier names one company, whichever source gives it, and a company has one of each scheme.
-- Whose record said so first: its source, and what that calls the company.
create table company_identifiers (
  scheme text not null,
  value text not null,
  company_id bigint not null references companies,
  source_id integer not null references sources,
  company_external_id text,
  primary key (scheme, value),
  constraint company_identifiers_one_of_a_scheme unique (company_id, scheme),
  constraint company_identifiers_scheme_known check (scheme in ('cik', 'lei', 'uei'))
);

-- One company that was found to be another: all that was its own is the kept one's until the merge
-- is undone. What was moved is written down, so that exactly that can be given back.
create table company_merges (
  id bigint generated always as identity primary key,
  kept_id bigint not null references companies,
  merged_id bigint not null references companies,
  -- An operator's words, or the identifier that said so.
  reason text not null,
  -- Whose record brought that identifier; null where an operator merged.
  source_id integer references sources,
  merged_at timestamptz not null,
  undone_at timestamptz,
  observation_ids bigint[] not null,
  -- {external_ids: [{source_id, external_id, name}], identifiers: [{scheme, value}],
  --  names: [{source_id, normalized_name, country, own}], domains: [{domain_id, active, own}]};
  -- own: the kept company had it by itself, and keeps it.
  moved jsonb not null,
  -- The kept one is suppressed for the merged one alone, and for others of which the same is true.
  suppressed boolean not null,
  constraint company_merges_two_companies check (kept_id <> merged_id),
  constraint company_merges_reason_length check (length(reason) between 1 and 500)
);
create index company_merges_into on company_merges (kept_id) where undone_at is null;
-- A company is merged once at a time.
create unique index company_merges_once on company_merges (merged_id) where undone_at is null;
-- Whom an operator told apart: nothing merges them again by itself.
create index company_merges_undone on company_merges (kept_id, merged_id)
  where undone_at is not null;

alter table companies
  add column merged_into bigint references companies,
  add constraint companies_merged_elsewhere check (merged_into <> id);

-- What the source calls the company in this record: where a merge is undone, what was recorded in
-- between goes by it. Null where the source gave nothing, or did so before this column.
alter table observations add column company_external_id text;

-- Merging takes all names of a company.
create index company_names_company on company_names (company_id);

-- The lookups have got a parameter more.
drop function if exists company_of_hostnames(integer, text, text[], text[], bigint[]);
drop function if exists company_of_name(integer, text, text, text);

-- Stored names as normalizeName() writes them from now on, so that records that come again meet
-- their companies. It starts from what is stored: lower case, without punctuation but "&" and "+".
create function renormalized_name(p_name text) returns text language plpgsql immutable as $$
declare
  form constant text := '(?:limited liability (?:company|partnership)|limited partnership|'
    'societe en (?:nom collectif|commandite)|incorporated|incorporee|inc|limited|limitee|ltd|ltee|'
    'corporation|corp|company|compagnie|co|cie|lllp|llp|pllc|llc|lp|ulc|plc|pc|sa|sas|sarl|srl|sec|'
    'sencrl|senc|enr|gmbh|ag|kg|nv|bv|pty)';
  t text := normalize(regexp_replace(normalize(p_name, NFD), '[\u0300-\u036f]', '', 'g'), NFC);
begin
  t := trim(regexp_replace(replace(t, '&', ' & '), ' +', ' ', 'g'));
  t := regexp_replace(
    t, ' (s e n c r l|s e n c|l l l p|p l l c|l l c|l l p|u l c|p l c)$', ' | \1');
  t := regexp_replace(t, '(?<![^ ])([a-z]) (?=[a-z](?: |$))', '\1', 'g');
  t := replace(t, ' | ', ' ');
  t := regexp_replace(t, '(?<=[a-z]) s(?= |$)', 's', 'g');
  t := regexp_replace(t, ' (?:and|et)(?= )', ' &', 'g');
  t := regexp_replace(t, '^(?:(?:the|les) )+', '');
  if t !~ ('^(?:' || form || '|&)(?: (?:' || form || '|&))*$') then
    t := regexp_replace(t, '(?: (?:' || form || '|&))+$', '');
  end if;
  return coalesce(nullif(replace(t, ' & ', '&'), ''), p_name);
end $$;

with renamed as (
  delete from company_names where renormalized_name(normalized_name) <> normalized_name
  returning *
)
insert into company_names (source_id, normalized_name, country, company_id)
select source_id, renormalized_name(normalized_name), country, company_id from renamed
on conflict do nothing;

drop function renormalized_name(text);
