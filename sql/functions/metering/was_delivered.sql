-- Returns whether an operation of the caller's account has delivered an entry in the last hour. Such
-- entries are read above the rate of unmetered reads. p_entry is the part of an entry that must match:
-- [{company_id}] or [{observation_ids: [id]}].
create or replace function was_delivered(p_key_hash bytea, p_entry jsonb, p_now timestamptz)
returns boolean language plpgsql stable set enable_seqscan = off as $$
declare
  at timestamptz := coalesce(p_now, now());
begin
  return exists (
    select from subscription_of_key(p_key_hash, at) s
    join operations o on o.account_id = s.account_id
    where o.status = 'delivered' and o.finished_at > at - interval '1 hour'
      and o.result -> 'entries' @> p_entry
  );
end $$;
