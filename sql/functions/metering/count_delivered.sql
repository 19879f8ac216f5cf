-- Returns how many companies and observations an operation of the caller's account has delivered in
-- the last hour. Reads of them do not count. p_items: [{company_id} or {observation_id}].
create or replace function count_delivered(p_key_hash bytea, p_items jsonb, p_now timestamptz)
returns integer language sql stable set enable_seqscan = off as $$
  with delivered as (
    select e.entry
    from subscription_of_key(p_key_hash, coalesce(p_now, now())) s
    join operations o on o.account_id = s.account_id
    cross join jsonb_array_elements(o.result -> 'entries') e (entry)
    where o.status = 'delivered'
      and o.finished_at > coalesce(p_now, now()) - interval '1 hour'
  )
  select count(*)::integer
  from jsonb_array_elements(p_items) i (item)
  where i.item -> 'company_id' in (select entry -> 'company_id' from delivered)
    or i.item -> 'observation_id' in (
      select id from delivered, jsonb_array_elements(entry -> 'observation_ids') id
    )
$$;
