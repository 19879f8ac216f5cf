-- Functions for processes of the previous version, which serve and work beside those of this
-- version during an upgrade. They call the functions of this version and answer as the previous
-- version expects. They can be removed when no supported version calls them.

-- Returns the observations that may be shown as rows: [{id, company_id, company_name, domains, and
-- the members of the body}].
create or replace function last_version_rows(p_shown json) returns jsonb
language plpgsql stable as $$
begin
  return (
    select coalesce(jsonb_agg(
      (p_shown -> 'bodies' ->> i.id)::jsonb || jsonb_build_object(
        'id', i.id::bigint,
        'company_id', p_shown -> 'company_ids' -> (i.place - 1)::integer,
        'company_name', p_shown -> 'company_names' -> (i.place - 1)::integer,
        'domains', p_shown -> 'hostnames' -> i.id
      ) order by i.place
    ), '[]')
    from json_array_elements_text(p_shown -> 'ids') with ordinality i (id, place)
  );
end $$;

-- Returns an answer about an operation with rows instead of parallel lists. Returns other answers
-- unchanged.
create or replace function last_version_answer(p_answer json) returns json
language plpgsql stable as $$
begin
  if p_answer -> 'operation' is null then return p_answer; end if;
  return p_answer::jsonb - 'shown' || jsonb_build_object('observations', case
    when json_typeof(p_answer -> 'shown') = 'object' then last_version_rows(p_answer -> 'shown')
  end);
end $$;

-- Reserves units. A claim of the previous version that runs during the migration still calls this.
create or replace function reserve_units(o operations, c caller, p_at timestamptz)
returns json language plpgsql as $$
declare
  admitted record := admit_units(o, c, p_at);
begin
  return admitted.refused;
end $$;

create or replace function claim_operation(
  p_key_hash bytea,
  p_action text,
  p_request_key text,
  p_fingerprint bytea,
  p_scope bytea,
  p_inputs jsonb,
  p_background boolean,
  p_limit bigint,
  p_cursor text,
  p_delivered_units bigint,
  p_lease uuid,
  p_lease_seconds integer,
  p_deadline_seconds integer,
  p_now timestamptz
) returns json language plpgsql as $$
declare
  answer json := claim_operation(
    p_key_hash,
    p_action,
    p_request_key,
    p_fingerprint,
    p_scope,
    p_inputs,
    coalesce(p_inputs -> 'filters', p_inputs - 'domains'),
    p_action = 'get_companies',
    p_background,
    p_limit,
    p_cursor,
    p_delivered_units,
    p_lease,
    p_lease_seconds,
    p_deadline_seconds,
    p_now
  );
begin
  if answer ->> 'outcome' = 'found' then
    answer := read_operation(p_key_hash, (answer -> 'operation' ->> 'id')::bigint, true, p_now);
  end if;
  return last_version_answer(answer);
end $$;

create or replace function settle_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_lease uuid,
  p_entries jsonb,
  p_limit integer,
  p_unit text,
  p_result jsonb,
  p_next_cursor text,
  p_next jsonb,
  p_refresh_hostnames text[],
  p_fresh_observation_ids bigint[],
  p_now timestamptz
) returns json language plpgsql as $$
declare
  company_ids bigint[];
  places integer[];
  observation_ids bigint[];
  answer json;
begin
  company_ids := array(
    select (e.entry ->> 'company_id')::bigint
    from jsonb_array_elements(p_entries) with ordinality e (entry, place)
    order by e.place
  );
  select coalesce(array_agg(e.place order by e.place, i.line), '{}'),
    coalesce(array_agg(i.id::bigint order by e.place, i.line), '{}')
  into places, observation_ids
  from jsonb_array_elements(p_entries) with ordinality e (entry, place)
  cross join jsonb_array_elements_text(e.entry -> 'observation_ids') with ordinality i (id, line);
  answer := settle_operation(
    p_key_hash,
    p_operation_id,
    p_lease,
    company_ids,
    places,
    observation_ids,
    '{}'::text[],
    null::jsonb,
    null::text,
    null::timestamptz,
    p_limit,
    p_unit,
    p_result,
    p_next_cursor,
    p_next,
    p_refresh_hostnames,
    p_fresh_observation_ids,
    p_now
  );
  if p_key_hash is not null and answer ->> 'outcome' = 'found' then
    answer := read_operation(p_key_hash, p_operation_id, true, p_now);
  end if;
  return last_version_answer(answer);
end $$;

-- Settles for the previous version, which passes no foreseen page (deliverable_entries). Therefore
-- p_page, p_moment and p_expires_at are null.
create or replace function settle_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_lease uuid,
  p_company_ids bigint[],
  p_places integer[],
  p_observation_ids bigint[],
  p_known text[],
  p_limit integer,
  p_unit text,
  p_result jsonb,
  p_next_cursor text,
  p_next jsonb,
  p_refresh_hostnames text[],
  p_fresh_observation_ids bigint[],
  p_now timestamptz
) returns json language plpgsql as $$
begin
  return settle_operation(
    p_key_hash,
    p_operation_id,
    p_lease,
    p_company_ids,
    p_places,
    p_observation_ids,
    p_known,
    null::jsonb,
    null::text,
    null::timestamptz,
    p_limit,
    p_unit,
    p_result,
    p_next_cursor,
    p_next,
    p_refresh_hostnames,
    p_fresh_observation_ids,
    p_now
  );
end $$;

create or replace function read_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_now timestamptz
) returns json language plpgsql as $$
begin
  return last_version_answer(read_operation(p_key_hash, p_operation_id, true, p_now));
end $$;

create or replace function read_company(p_key_hash bytea, p_company_id bigint, p_now timestamptz)
returns json language plpgsql stable as $$
declare
  at timestamptz := coalesce(p_now, now());
  refused text := refusal_of_key(p_key_hash, at);
  shown json;
begin
  if refused is not null then return refusal(refused); end if;
  shown := shown_observations(latest_observations(p_company_id), true, true);
  if json_array_length(shown -> 'ids') = 0 then return refusal('company_not_found'); end if;
  return json_build_object(
    'outcome', 'found',
    'as_of', instant(at),
    'observation_ids', shown -> 'ids',
    'observations', last_version_rows(shown)
  );
end $$;

create or replace function read_observation(
  p_key_hash bytea,
  p_observation_id bigint,
  p_now timestamptz
) returns json language plpgsql stable as $$
declare
  answer json := read_observation(p_key_hash, p_observation_id, true, p_now);
begin
  if answer ->> 'outcome' <> 'found' then return answer; end if;
  return json_build_object(
    'outcome', 'found',
    'observation', (answer -> 'body')::jsonb || jsonb_build_object(
      'id', p_observation_id,
      'company_id', answer -> 'company_id',
      'company_name', answer -> 'company_name',
      'domains', null
    )
  );
end $$;

create or replace function read_usage(p_key_hash bytea, p_now timestamptz)
returns json language plpgsql stable as $$
begin
  return read_usages(array[encode(p_key_hash, 'hex')], p_now);
end $$;

-- Drops functions that only earlier forms of the functions above called.
drop function if exists observation_rows(bigint[], boolean);
drop function if exists operation_answer(text, operations, caller, timestamptz);
drop function if exists settlement_answer(text, bytea, operations, timestamptz);
drop function if exists deliverable_entries(jsonb, integer, integer, jsonb);
drop function if exists filter_values(jsonb, text);
