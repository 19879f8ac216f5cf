-- Returns how many companies and observations an operation of the caller's account has delivered in
-- the last hour. Reads of them do not count. p_items: [{company_id} or {observation_id}].
create or replace function count_delivered(p_key_hash bytea, p_items jsonb, p_now timestamptz)
returns integer language sql stable set enable_seqscan = off as $$
  with recent as not materialized (
    select o.result
    from subscription_of_key(p_key_hash, coalesce(p_now, now())) s
    join operations o on o.account_id = s.account_id
    where o.status = 'delivered'
      and o.finished_at > coalesce(p_now, now()) - interval '1 hour'
  )
  select count(*)::integer
  from jsonb_array_elements(p_items) i (item)
  where case
    when i.item ? 'company_id' then i.item -> 'company_id' in (
      select jsonb_path_query(result, '$.entries[*].company_id') from recent
    )
    else i.item -> 'observation_id' in (
      select jsonb_path_query(result, '$.entries[*].observation_ids[*]') from recent
    )
  end
$$;
