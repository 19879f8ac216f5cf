-- Limits what ANALYZE reads of operations and shortlists. With many requests, autovacuum analyzes
-- both every minute. By default, it sorted and counted the contents of 30,000 inputs and shortlists
-- each time, which took a core 2.5 s and delayed requests. The ledger has only narrow columns, and
-- takes 0.1 s.

-- Queries do not compare these columns, or do so with the few rows that an index has found.
alter table operations
  alter fingerprint set statistics 0,
  alter scope set statistics 0,
  alter inputs set statistics 0,
  alter lease_token set statistics 0,
  alter result set statistics 0,
  alter next_cursor set statistics 0,
  alter filters set statistics 0;
alter table shortlists
  alter body set statistics 0,
  alter facts set statistics 0,
  alter company_ids set statistics 0,
  alter places set statistics 0,
  alter observation_ids set statistics 0;

-- ANALYZE samples 300 rows per unit of the highest target among the columns.
alter table operations
  alter id set statistics 10,
  alter account_id set statistics 10,
  alter subscription_id set statistics 10,
  alter request_key set statistics 10,
  alter action set statistics 10,
  alter status set statistics 10,
  alter claimed_at set statistics 10,
  alter deadline_at set statistics 10,
  alter finished_at set statistics 10,
  alter lease_expires_at set statistics 10,
  alter message_id set statistics 10,
  alter window_start set statistics 10,
  alter week_start set statistics 10,
  alter reserved_request_units set statistics 10,
  alter reserved_delivered_units set statistics 10,
  alter request_units set statistics 10,
  alter delivered_units set statistics 10,
  alter fresh_evidence_units set statistics 10,
  alter failure_code set statistics 10,
  alter shortlist_id set statistics 10,
  alter start_position set statistics 10,
  alter next_position set statistics 10,
  alter shows_hostnames set statistics 10;
alter table shortlists alter operation_id set statistics 10;
