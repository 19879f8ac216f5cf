-- Delivers an operation under its lease and charges it, in one statement (step 5 of
-- ARCHITECTURE.md).
--
--   p_key_hash             the caller; null for background work. A key that was revoked meanwhile
--                          changes what the answer shows, not what is charged
--   p_entries              the ranked [{company_id, observation_ids}] that the action found; those
--                          that may be delivered and fit the page are delivered
--   p_limit                the page size; null: all entries
--   p_unit                 what a delivered unit is: a distinct `company` or an `observation`
--   p_facts                facts of the page, which are stored beside its entries for replays
--   p_next_cursor          used only if there is a next page; null: the action has no pages
--   p_next                 state from which the next page continues; null: all ranked entries
--   p_refresh_hostnames    requested hostnames without a company, which are queued for a refresh
--   p_fresh_observation_ids  observations that sources gave for this operation
--
-- Outcomes:
--   settled    the operation is delivered and charged;
--   overtaken  the lease was lost: the operation waits for a worker, is performed elsewhere or has
--              ended. Nothing was delivered. The answer says what the database holds.
--
-- A settlement is one transaction. If the process or its connection dies before the commit, nothing
-- is charged. A worker then performs the operation again, when its lease has expired or was given
-- back. After five attempts of workers that failed or died, the operation ends as usage_failed. The
-- caller's own attempt does not count. Once it is seen after its deadline, it ends as
-- usage_expired. Neither is charged. The server may still finish and commit a statement whose
-- client has gone; then the rule after the commit applies. After the commit, a retry finds the
-- delivered operation, and giving the lease back changes nothing.
--
-- Only the token of the lease decides. A holder whose lease has expired, or whose deadline has
-- passed, still settles while it has the token. A worker replaces the token. A sweep, a return of
-- the lease or the end of the operation removes it. A sweep, a retry or a poll ends an overdue
-- operation.
--
-- Sequential scans are off. Otherwise, a plan that was cached while the tables were small would read
-- all operations.
create or replace function settle_operation(
  p_key_hash bytea,
  p_operation_id bigint,
  p_lease uuid,
  p_entries jsonb,
  p_limit integer,
  p_unit text,
  p_facts jsonb,
  p_next_cursor text,
  p_next jsonb,
  p_refresh_hostnames text[],
  p_fresh_observation_ids bigint[],
  p_now timestamptz
) returns json language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := coalesce(p_now, now());
  o operations;
  page record;
  has_next boolean;
begin
  select * into strict o from operations where id = p_operation_id;
  page := deliverable_page(p_entries, o.start_position, p_limit, o.filters);
  has_next := p_next_cursor is not null
    and (p_next is not null or page.next_position is not null);

  update operations set
    status = 'delivered',
    finished_at = at,
    lease_token = null,
    lease_expires_at = null,
    request_units = 1,
    delivered_units = case p_unit
      when 'company' then cardinality(page.company_ids)
      when 'observation' then cardinality(page.observation_ids)
    end,
    fresh_evidence_units = (
      select count(distinct id) from unnest(page.observation_ids) id
      where id = any(p_fresh_observation_ids)
    ),
    result = jsonb_build_object('as_of', instant(at)) || p_facts
      || jsonb_build_object('entries', page.entries),
    next_cursor = case when has_next then p_next_cursor end,
    -- If p_next is stored for the next page, the position of that page is 0.
    next_position = case when has_next then coalesce(page.next_position, 0) end
  -- A lease token implies the status `processing`.
  where id = p_operation_id and lease_token = p_lease
  returning * into o;
  if not found then return overtaken_answer(p_operation_id, p_key_hash, at); end if;
  if has_next and (p_next is not null or o.shortlist_id is null) then
    insert into shortlists (operation_id, body)
    values (o.id, coalesce(p_next, p_facts || jsonb_build_object('entries', p_entries)));
  end if;
  insert into ledger (
    operation_id, subscription_id, request_units, delivered_units, fresh_evidence_units,
    window_start, week_start, settled_at
  ) values (
    o.id, o.subscription_id, o.request_units, o.delivered_units, o.fresh_evidence_units,
    o.window_start, o.week_start, at
  );
  if p_refresh_hostnames <> '{}' then
    perform queue_refreshes(o.account_id, p_refresh_hostnames, at);
  end if;
  -- Ends the reservation, and counts the charge. This comes last, because it locks the row that all
  -- requests of the subscription share.
  perform release_operation(o);

  return present_operation('settled', o, caller_of_key(p_key_hash, at), at);
end $$;

-- Returns the answer for a process that has lost the lease of an operation.
create or replace function overtaken_answer(
  p_operation_id bigint,
  p_key_hash bytea,
  p_at timestamptz
) returns json language sql as $$
  select present_operation('overtaken', o, caller_of_key(p_key_hash, p_at), p_at)
  from operations o
  where o.id = p_operation_id
$$;

-- Selects the entries of a page: those after p_position that have an observation which may be
-- delivered and passes the filters.
--
--   entries          [{company_id, observation_ids}] of the page
--   company_ids, observation_ids
--                    the distinct companies and the observations of the page
--   next_position    the start of the next page; null if no further entry may be delivered
create or replace function deliverable_page(
  p_entries jsonb,
  p_position integer,
  p_limit integer,
  p_filters jsonb,
  out entries jsonb,
  out company_ids bigint[],
  out observation_ids bigint[],
  out next_position integer
) language plpgsql stable as $$
declare
  entry record;
begin
  entries := '[]';
  company_ids := '{}';
  observation_ids := '{}';
  -- The places are sorted before the entries are looked up, so no entry is looked up after the one
  -- that begins the next page. "offset 0" keeps each step on its own, with one index.
  for entry in
    select place, company_id, ids
    from (
      select place from generate_series(p_position, jsonb_array_length(p_entries) - 1) place
      order by place
    ) places
    cross join lateral (
      select (p_entries -> place -> 'company_id')::bigint as company_id offset 0
    ) c
    cross join lateral (
      select array(
        select o.id
        from jsonb_array_elements_text(p_entries -> place -> 'observation_ids')
          with ordinality i (id, line)
        cross join lateral (
          select d.id from deliverable_observations d
          where d.id = i.id::bigint and d.company_id = c.company_id
            and (p_filters is null or passes_filters(d, p_filters))
          offset 0
        ) o
        order by i.line
      ) as ids
      offset 0
    ) deliverable
    where ids <> '{}'
    order by place
    limit p_limit + 1
  loop
    if jsonb_array_length(entries) = p_limit then return; end if;
    entries := entries
      || jsonb_build_object('company_id', entry.company_id, 'observation_ids', entry.ids);
    if entry.company_id <> all(company_ids) then
      company_ids := company_ids || entry.company_id;
    end if;
    observation_ids := observation_ids || entry.ids;
    next_position := entry.place + 1;
  end loop;
  next_position := null;
end $$;

-- Returns whether an observation passes the filters of a search (specification 4, Filters). An
-- absent member is no restriction.
create or replace function passes_filters(o deliverable_observations, p_filters jsonb)
returns boolean language plpgsql stable as $$
begin
  return (p_filters -> 'countries' is null or p_filters -> 'countries' ? o.country)
    and (p_filters -> 'kinds' is null or p_filters -> 'kinds' ? o.kind)
    and (p_filters -> 'demand_classes' is null or p_filters -> 'demand_classes' ? o.demand_class)
    and coalesce(o.occurred_at > (p_filters ->> 'occurred_after')::timestamptz,
      p_filters -> 'occurred_after' is null)
    and coalesce(o.observed_at > (p_filters ->> 'observed_after')::timestamptz,
      p_filters -> 'observed_after' is null)
    and (p_filters -> 'company_ids' is null
      or p_filters -> 'company_ids' @> to_jsonb(o.company_id))
    and (p_filters -> 'exclude_company_ids' is null
      or not p_filters -> 'exclude_company_ids' @> to_jsonb(o.company_id))
    and (p_filters -> 'domains' is null or holds_hostname(o.company_id, p_filters -> 'domains'))
    and (p_filters -> 'exclude_domains' is null
      or not holds_hostname(o.company_id, p_filters -> 'exclude_domains'));
end $$;

-- Returns whether a company has one of the hostnames (specification 4, Filters 5).
create or replace function holds_hostname(p_company_id bigint, p_hostnames jsonb)
returns boolean language plpgsql stable as $$
begin
  return exists (
    select from deliverable_domains d
    where d.company_id = p_company_id and p_hostnames ? d.hostname
  );
end $$;
