-- Advances the dataset to its next moment. Every write to the dataset calls this first. The row
-- stays locked until commit, so writers follow one another, and change_seq and recorded_at grow in
-- commit order.
create or replace function advance_dataset_clock(out change_seq bigint, out recorded_at timestamptz)
language sql as $$
  update dataset_clock c
  set change_seq = c.change_seq + 1,
    visible_at = c.recorded_at,
    taken_at = c.recorded_at,
    -- Later than every earlier moment, even if the server's clock was set back.
    recorded_at = greatest(
      date_trunc('milliseconds', clock_timestamp()),
      c.recorded_at + interval '1 millisecond'
    )
  returning c.change_seq, c.recorded_at
$$;

-- Reserves p_count moments of one microsecond each for the current write, and returns the moment
-- before the first one. Each observation has a different moment, so a listing can stop after any
-- observation. The clock is set to the last reserved moment, which is a whole millisecond. After
-- many reservations within a short time, the clock is therefore ahead of the real time.
create or replace function take_moments(p_count bigint) returns timestamptz language sql as $$
  update dataset_clock c
  set recorded_at = next.moment, taken_at = next.moment
  from (
    select greatest(d.recorded_at, d.taken_at + ceil(p_count / 1000.0) * interval '1 millisecond')
      as moment
    from dataset_clock d
  ) next
  returning next.moment - p_count * interval '1 microsecond'
$$;
