-- A filter's list; null where it is absent or empty: then it does not restrict.
create or replace function filter_values(p_filters jsonb, p_field text)
returns text[] language sql immutable as $$
  select nullif(array(select jsonb_array_elements_text(p_filters -> p_field)), '{}')
$$;
