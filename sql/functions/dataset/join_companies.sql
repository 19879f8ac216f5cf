-- Merges the companies that are one according to a record: p_company_id, the record's company, and
-- p_holders, which have one of its identifiers. The oldest company is kept. Two companies stay
-- apart if their identifiers or the record's contradict each other, or if a merge of the two was
-- undone. Returns the record's company after the merges. Only join_mentioned calls this.
create or replace function join_companies(
  p_company_id bigint,
  p_holders bigint[],
  p_identifiers text[],
  p_source_id integer
) returns bigint language plpgsql as $$
declare
  kept_id bigint := p_company_id;
  holder bigint;
  reason text;
begin
  if contradicts(p_company_id, p_identifiers) then
    return p_company_id;
  end if;
  foreach holder in array p_holders loop
    if holder not in (p_company_id, kept_id) and not stay_apart(kept_id, holder) then
      select string_agg(identifier, ' ' order by identifier) into reason
      from unnest(p_identifiers) identifier
      join company_identifiers i
        on i.scheme = split_part(identifier, ':', 1) and i.value = split_part(identifier, ':', 2)
      where i.company_id = holder;
      perform move_company(
        least(kept_id, holder), greatest(kept_id, holder), reason, p_source_id
      );
      kept_id := least(kept_id, holder);
    end if;
  end loop;
  return kept_id;
end $$;

-- Returns whether two companies must not be merged automatically.
create or replace function stay_apart(p_one bigint, p_other bigint)
returns boolean language plpgsql stable as $$
begin
  return differing_scheme(p_one, p_other) is not null or exists (
    select from company_merges m
    cross join lateral (select kept_company(m.kept_id) as kept, kept_company(m.merged_id) as merged) c
    where m.undone_at is not null and (c.kept, c.merged) in ((p_one, p_other), (p_other, p_one))
  );
end $$;

-- Returns a scheme of which two companies have different identifiers; null if there is none.
create or replace function differing_scheme(p_one bigint, p_other bigint)
returns text language plpgsql stable as $$
begin
  return (
    select min(i.scheme) from company_identifiers i
    join company_identifiers j on j.company_id = p_other and j.scheme = i.scheme
    where i.company_id = p_one and i.value <> j.value
  );
end $$;
