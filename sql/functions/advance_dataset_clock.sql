-- The next moment of the dataset. Every write to it calls this first: the row stays locked until
-- commit, so writers follow one another, and change_seq and recorded_at grow in commit order.
create or replace function advance_dataset_clock(out change_seq bigint, out recorded_at timestamptz)
language sql as $$
  update dataset_clock c
  set change_seq = c.change_seq + 1,
    -- Ahead of every moment handed out before, even where the server's clock was set back.
    recorded_at = greatest(
      date_trunc('milliseconds', clock_timestamp()),
      c.recorded_at + interval '1 millisecond'
    )
  returning c.change_seq, c.recorded_at
$$;
