-- Functions that end leases before their operations end.

-- Gives a lease back. Its operation becomes background work. Returns false if no operation has the
-- lease, or not yet. A lease that another process has replaced meanwhile is unknown too. Its read
-- stays counted, as if its process had crashed.
--
-- The reason decides whether the read of the message counts (see take_operation) and when the
-- message becomes visible again:
-- - failed: the work itself failed. The read counts. The message is visible after 2 seconds.
-- - unavailable: the database did not answer in time, or the process stops, has no turn for the
--   operation or cannot perform it at present. The read does not count. The message is visible
--   after a back-off.
-- - unseen: the answer of the statement that took the lease was lost. The read does not count. The
--   message is visible at once.
-- - killed: the process has died. The read counts, because the work itself may have ended the
--   process. An operation of a waiting caller had no message, so nothing counts. The message is
--   visible at once.
create or replace function give_back_lease(p_lease uuid, p_reason text, p_now timestamptz)
returns boolean language plpgsql set enable_seqscan = off as $$
declare
  o operations;
begin
  update operations set status = 'pending', lease_token = null, lease_expires_at = null
  where status = 'processing' and lease_token = p_lease
  returning * into o;
  if not found then return false; end if;
  perform queue_operation(
    o,
    case p_reason
      when 'failed' then 2
      when 'unavailable' then back_off_seconds(o, coalesce(p_now, now()))
      else 0
    end,
    p_reason in ('failed', 'killed')
  );
  return true;
end $$;

-- Ends every lease. A process calls this when it has just opened the embedded database. That
-- database belongs to one process, so the holders of earlier leases are dead or have lost their
-- connection. A holder that is still alive cannot settle under its old lease. Returns the number of
-- operations.
create or replace function end_leases() returns integer language sql as $$
  update source_feeds set lease_token = null, leased_until = null where lease_token is not null;
  update embedding_models set lease_token = null, leased_until = null
  where lease_token is not null;
  select count(give_back_lease(lease_token, 'killed', now()))::integer
  from operations
  where status = 'processing'
$$;
