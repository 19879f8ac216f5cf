-- Stores today as the last day of use of keys. p_hashes are their hashes in hexadecimal. Returns
-- the number of seconds until the day ends. A row that another transaction has locked is skipped,
-- because that transaction probably stores the same day.
create or replace function note_key_uses(p_hashes text[])
returns double precision language plpgsql as $$
begin
  update api_keys set last_used_on = current_date
  where id in (
    select id from api_keys
    where hash in (select decode(h, 'hex') from unnest(p_hashes) h)
      and last_used_on is distinct from current_date
    for update skip locked
  );
  return extract(epoch from (current_date + 1)::timestamptz - now());
end $$;
