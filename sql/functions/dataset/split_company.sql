-- Undoes a merge. Locks the dataset's clock. The rows that the merge moved return if they still
-- belong to the kept company. Observations that were recorded later under the returning external
-- ids return too. Other merges into either company stay. If the kept company was itself merged into
-- another, that merge has to be undone first. Records never merge the two again (stay_apart).
-- Returns {merge, kept, returned, observations}, or {refused} with the reason, or null if there is
-- no such merge.
create or replace function split_company(p_merge_id bigint)
returns json language plpgsql as $$
declare
  merge company_merges;
  further bigint;
  moved_back integer;
begin
  perform advance_dataset_clock();
  select * into merge from company_merges where id = p_merge_id;
  if not found then return null; end if;
  if merge.undone_at is not null then
    return json_build_object('refused', format('merge %s was undone before', merge.id));
  end if;
  select m.id into further from company_merges m
  where m.merged_id = merge.kept_id and m.undone_at is null;
  if found then
    return json_build_object('refused', format(
      'company %s was merged further by merge %s: undo that first', merge.kept_id, further
    ));
  end if;

  moved_back := undo_merge(merge);
  return json_build_object(
    'merge', merge.id, 'kept', merge.kept_id, 'returned', merge.merged_id,
    'observations', moved_back
  );
end $$;

-- Moves the rows of a merge back, and returns the number of observations. The caller locks the
-- dataset's clock, and checks whether the merge may be undone.
create or replace function undo_merge(merge company_merges) returns integer language plpgsql as $$
declare
  moved_back integer;
begin
  update company_merges set undone_at = clock.recorded_at
  from dataset_clock clock where id = merge.id;
  update companies set merged_into = null where id = merge.merged_id;
  moved_back := return_observations(merge);
  perform return_identities(merge);
  perform return_domains(merge);
  perform return_suppression(merge);
  return moved_back;
end $$;

-- Moves observations back, except those that a revision has since given an external company id of
-- the kept company. Returns their number.
create or replace function return_observations(merge company_merges)
returns integer language plpgsql as $$
declare
  returned bigint[] := array(
    select o.id from observations o
    where o.company_id = merge.kept_id and (
      (o.company_external_id is null and o.id = any(merge.observation_ids))
      or (o.source_id, o.company_external_id) in (select * from returned_external_ids(merge))
    )
  );
begin
  update observations o set company_id = merge.merged_id where o.id = any(returned);
  perform record_again(returned);
  return cardinality(returned);
end $$;

-- Returns the external ids that a merge moved.
create or replace function returned_external_ids(merge company_merges)
returns table (source_id integer, external_id text) language sql stable as $$
  select x.source_id, x.external_id
  from jsonb_to_recordset(merge.moved -> 'external_ids') x (source_id integer, external_id text)
$$;

-- Moves external ids, names and identifiers of registers back. An identifier that only the returned
-- observations give moves too. If a returned external id has a new name, the returned company gets
-- that name.
create or replace function return_identities(merge company_merges)
returns void language plpgsql as $$
begin
  update company_external_ids x set company_id = merge.merged_id
  where x.company_id = merge.kept_id
    and (x.source_id, x.external_id) in (select * from returned_external_ids(merge));
  update companies c set name = coalesce((
    select x.name from company_external_ids x
    join jsonb_to_recordset(merge.moved -> 'external_ids')
      b (source_id integer, external_id text, name text) using (source_id, external_id)
    where x.company_id = c.id and x.name <> b.name
    order by x.source_id, x.external_id
    limit 1
  ), c.name)
  where c.id = merge.merged_id;

  update company_identifiers i set company_id = merge.merged_id
  where i.company_id = merge.kept_id and (
    (i.scheme, i.value) in (
      select b.scheme, b.value
      from jsonb_to_recordset(merge.moved -> 'identifiers') b (scheme text, value text)
    )
    or (i.source_id, i.company_external_id) in (select * from returned_external_ids(merge))
    or (gives(merge.merged_id, i) and not gives(merge.kept_id, i))
  );

  insert into company_names (source_id, normalized_name, legal_form, country, company_id)
  select b.source_id, b.normalized_name, b.legal_form, b.country, merge.merged_id
  from jsonb_to_recordset(merge.moved -> 'names')
    b (source_id integer, normalized_name text, legal_form text, country text)
  on conflict do nothing;
  delete from company_names n
  using jsonb_to_recordset(merge.moved -> 'names')
    b (source_id integer, normalized_name text, legal_form text, country text, own boolean)
  where n.company_id = merge.kept_id
    and (n.source_id, n.normalized_name, n.legal_form, n.country)
      = (b.source_id, b.normalized_name, b.legal_form, b.country)
    and not b.own
    and not came_by_merge(merge.kept_id, 'names', to_jsonb(n) - 'company_id');
end $$;

-- Returns whether an observation of a company gives an identifier.
create or replace function gives(p_company_id bigint, p_identifier company_identifiers)
returns boolean language sql stable as $$
  select exists (
    select from observations o
    where o.company_id = p_company_id
      and p_identifier.scheme || ':' || p_identifier.value = any(o.company_identifiers)
  )
$$;

-- Moves hostnames back. The kept company keeps a hostname that one of its observations gives.
create or replace function return_domains(merge company_merges)
returns void language plpgsql as $$
begin
  insert into company_domains (domain_id, company_id, active)
  select b.domain_id, merge.merged_id, b.active
  from jsonb_to_recordset(merge.moved -> 'domains') b (domain_id bigint, active boolean)
  on conflict do nothing;
  insert into company_domains (domain_id, company_id)
  select distinct od.domain_id, merge.merged_id
  from observations o
  join observation_domains od on od.observation_id = o.id
  where o.company_id = merge.merged_id
  on conflict do nothing;
  delete from company_domains cd
  using jsonb_to_recordset(merge.moved -> 'domains') b (domain_id bigint, own boolean)
  where cd.company_id = merge.kept_id and cd.domain_id = b.domain_id and not b.own
    and not came_by_merge(
      merge.kept_id, 'domains', jsonb_build_object('domain_id', cd.domain_id)
    )
    and not exists (
      select from observation_domains od
      join observations o on o.id = od.observation_id
      where od.domain_id = cd.domain_id and o.company_id = merge.kept_id
    );
end $$;

-- Shows the kept company again, and records its observations again, if it was suppressed only
-- because of the merged company. If it was suppressed while they were one company, both stay
-- suppressed.
create or replace function return_suppression(merge company_merges)
returns void language plpgsql as $$
declare
  before timestamptz;
  after timestamptz;
begin
  select c.suppressed_at into before from companies c where c.id = merge.kept_id;
  if merge.suppressed and before <= merge.merged_at then
    update companies c set suppressed_at = (
      select min(m.suppressed_at) from companies m where m.merged_into = merge.kept_id
    )
    where c.id = merge.kept_id
    returning c.suppressed_at into after;
    if after is null then
      perform record_again(array(
        select o.id from observations o where o.company_id = merge.kept_id
      ));
    end if;
  elsif before > merge.merged_at then
    update companies c set suppressed_at = coalesce(c.suppressed_at, before)
    where c.id = merge.merged_id;
  end if;
end $$;
