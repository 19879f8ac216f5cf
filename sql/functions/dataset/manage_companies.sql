-- Functions with which an operator merges companies, and reports on companies and merges.

-- Merges a company into another under the dataset's clock. Returns {merge, kept, merged,
-- observations}, or {refused} with the reason.
create or replace function merge_companies(p_kept_id bigint, p_merged_id bigint, p_reason text)
returns json language plpgsql as $$
declare
  c companies;
  scheme text;
  merge_id bigint;
begin
  perform advance_dataset_clock();
  if p_kept_id = p_merged_id then
    return json_build_object('refused', 'a company cannot be merged with itself');
  end if;
  for c in
    select k.* from unnest(array[p_kept_id, p_merged_id]) requested (id)
    left join companies k on k.id = requested.id
    order by k.id
  loop
    if c.merged_into is not null then
      return json_build_object('refused', format(
        'company %s was merged into %s: merge that one, or undo it first', c.id, c.merged_into
      ));
    end if;
  end loop;
  if (select count(*) from companies k where k.id in (p_kept_id, p_merged_id)) < 2 then
    return json_build_object('refused', format('there is no company %s', (
      select min(requested.id) from unnest(array[p_kept_id, p_merged_id]) requested (id)
      where not exists (select from companies k where k.id = requested.id)
    )));
  end if;
  scheme := differing_scheme(p_kept_id, p_merged_id);
  if scheme is not null then
    return json_build_object('refused', format(
      'companies %s and %s are two by their identifiers: %s', p_kept_id, p_merged_id, scheme
    ));
  end if;
  merge_id := move_company(p_kept_id, p_merged_id, p_reason, null);
  return (
    select json_build_object(
      'merge', m.id, 'kept', m.kept_id, 'merged', m.merged_id,
      'observations', cardinality(m.observation_ids)
    )
    from company_merges m where m.id = merge_id
  );
end $$;

-- Returns the stored data of a company without its observations; null if it does not exist.
create or replace function show_company(p_id bigint) returns json language sql stable as $$
  select json_build_object(
    'id', c.id,
    'name', c.name,
    'created_at', instant(c.created_at),
    'suppressed_at', instant(c.suppressed_at),
    'merged_into', c.merged_into,
    'observations', (select count(*) from observations o where o.company_id = c.id),
    'deliverable', (select count(*) from deliverable_observations o where o.company_id = c.id),
    'external_ids', (
      select coalesce(json_agg(json_build_object(
        'source', s.name, 'external_id', x.external_id, 'name', x.name
      ) order by s.name, x.external_id), '[]')
      from company_external_ids x join sources s on s.id = x.source_id
      where x.company_id = c.id
    ),
    'identifiers', (
      select coalesce(json_agg(json_build_object(
        'scheme', i.scheme, 'value', i.value, 'source', s.name
      ) order by i.scheme), '[]')
      from company_identifiers i join sources s on s.id = i.source_id
      where i.company_id = c.id
    ),
    'names', (
      select coalesce(json_agg(json_build_object(
        'source', s.name, 'normalized_name', n.normalized_name, 'legal_form', n.legal_form,
        'country', n.country
      ) order by s.name, n.normalized_name, n.legal_form, n.country), '[]')
      from company_names n join sources s on s.id = n.source_id
      where n.company_id = c.id
    ),
    'hostnames', (
      select coalesce(json_agg(json_build_object(
        'hostname', d.hostname, 'active', cd.active
      ) order by d.hostname), '[]')
      from company_domains cd join domains d on d.id = cd.domain_id
      where cd.company_id = c.id
    ),
    'merges', (
      select coalesce(json_agg(merge_report(m) order by m.id), '[]')
      from company_merges m
      where c.id in (m.kept_id, m.merged_id)
    )
  )
  from companies c
  where c.id = p_id
$$;

-- Lists merges, the latest first.
create or replace function list_merges(p_limit integer) returns json language sql stable as $$
  select coalesce(json_agg(merge_report(m) order by m.id desc), '[]')
  from (select * from company_merges order by id desc limit p_limit) m
$$;

-- Returns a merge as the JSON object that reports contain.
create or replace function merge_report(m company_merges) returns json language sql stable as $$
  select json_build_object(
    'merge', m.id,
    'kept', m.kept_id,
    'merged', m.merged_id,
    'reason', m.reason,
    'source', (select s.name from sources s where s.id = m.source_id),
    'merged_at', instant(m.merged_at),
    'undone_at', instant(m.undone_at),
    'observations', cardinality(m.observation_ids)
  )
$$;
