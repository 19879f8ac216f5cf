-- Merges one company into another. Observations, external ids, names, identifiers and hostnames
-- move to the kept company, and the merge is stored. The moved observations are recorded again,
-- because their company has changed. The observations of the kept company are listed again under
-- the hostnames that it gains. If the merged company is suppressed, the kept company is suppressed
-- too. Returns the id of the merge. The caller locks the dataset's clock, and checks whether the
-- two may be merged.
create or replace function move_company(
  p_kept_id bigint,
  p_merged_id bigint,
  p_reason text,
  p_source_id integer
) returns bigint language plpgsql as $$
declare
  merge_id bigint;
  moved_ids bigint[];
  moved jsonb := moved_rows(p_kept_id, p_merged_id);
  suppression timestamptz;
  suppresses boolean;
begin
  update companies c set merged_into = p_kept_id where c.id = p_merged_id
  returning c.suppressed_at into suppression;
  -- False if the kept company is suppressed on its own, because undoing this merge must not show
  -- it.
  suppresses := suppression is not null and exists (
    select from companies c
    where c.id = p_kept_id and (c.suppressed_at is null or exists (
      select from company_merges m where m.kept_id = c.id and m.undone_at is null and m.suppressed
    ))
  );
  if suppresses then
    update companies c set suppressed_at = coalesce(c.suppressed_at, suppression)
    where c.id = p_kept_id;
    perform touch_observations(array(select o.id from observations o where o.company_id = p_kept_id));
  end if;

  moved_ids := array(select o.id from observations o where o.company_id = p_merged_id order by 1);
  update observations o set company_id = p_kept_id where o.id = any(moved_ids);
  perform record_again(moved_ids);
  update company_external_ids x set company_id = p_kept_id where x.company_id = p_merged_id;
  update company_identifiers i set company_id = p_kept_id where i.company_id = p_merged_id;
  insert into company_names (source_id, normalized_name, legal_form, country, company_id)
  select n.source_id, n.normalized_name, n.legal_form, n.country, p_kept_id
  from company_names n where n.company_id = p_merged_id
  on conflict do nothing;
  delete from company_names n where n.company_id = p_merged_id;
  insert into company_domains (domain_id, company_id, active)
  select cd.domain_id, p_kept_id, cd.active
  from company_domains cd where cd.company_id = p_merged_id
  on conflict do nothing;
  delete from company_domains cd where cd.company_id = p_merged_id;
  perform relist_observations(array_agg(cd.company_id), array_agg(cd.domain_id))
  from company_domains cd where cd.company_id = p_kept_id;

  insert into company_merges
    (kept_id, merged_id, reason, source_id, merged_at, observation_ids, moved, suppressed)
  select
    p_kept_id, p_merged_id, p_reason, p_source_id, clock.recorded_at, moved_ids, moved,
    suppresses
  from dataset_clock clock
  returning id into merge_id;
  return merge_id;
end $$;

-- Returns the rows, except observations, that a merge of the two moves, for company_merges.moved.
-- `own` is true for a row that the kept company already has without a merge.
create or replace function moved_rows(p_kept_id bigint, p_merged_id bigint)
returns jsonb language plpgsql stable as $$
begin
  return jsonb_build_object(
    'external_ids', coalesce((
      select jsonb_agg(to_jsonb(x) - 'company_id' order by x.source_id, x.external_id)
      from company_external_ids x where x.company_id = p_merged_id
    ), '[]'),
    'identifiers', coalesce((
      select jsonb_agg(jsonb_build_object('scheme', i.scheme, 'value', i.value) order by i.scheme)
      from company_identifiers i where i.company_id = p_merged_id
    ), '[]'),
    'names', coalesce((
      select jsonb_agg(n.name || jsonb_build_object('own', exists (
        select from company_names k
        where k.company_id = p_kept_id and to_jsonb(k) @> n.name
      ) and not came_by_merge(p_kept_id, 'names', n.name)) order by n.name)
      from (
        select to_jsonb(m) - 'company_id' as name
        from company_names m where m.company_id = p_merged_id
      ) n
    ), '[]'),
    'domains', coalesce((
      select jsonb_agg(jsonb_build_object(
        'domain_id', cd.domain_id, 'active', cd.active, 'own', exists (
          select from company_domains k
          where k.company_id = p_kept_id and k.domain_id = cd.domain_id
        ) and not came_by_merge(
          p_kept_id, 'domains', jsonb_build_object('domain_id', cd.domain_id)
        )
      ) order by cd.domain_id)
      from company_domains cd where cd.company_id = p_merged_id
    ), '[]')
  );
end $$;

-- Returns whether a company has a row only because of a merge that has not been undone. p_row is a
-- part of a row in company_merges.moved.
create or replace function came_by_merge(p_company_id bigint, p_what text, p_row jsonb)
returns boolean language plpgsql stable as $$
begin
  return exists (
    select from company_merges m
    where m.kept_id = p_company_id and m.undone_at is null
      and m.moved -> p_what @> jsonb_build_array(p_row)
      and not m.moved -> p_what @> jsonb_build_array(p_row || '{"own": true}')
  );
end $$;
