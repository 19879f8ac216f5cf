-- Deletes the demo: its observations, the companies that have no other source, and its account with
-- all charges. It is the only function that deletes observations. All others mark and keep them.
--
-- The index of a process cannot notice a deleted row, so the dataset gets another id. Every process
-- then rebuilds its index, and refuses an index that was saved before.
create or replace function remove_demo(p_sources text[])
returns json language plpgsql as $$
declare
  source_ids integer[] := array(select id from sources where name = any(p_sources));
  account bigint := (select id from accounts where is_demo);
  observation_ids bigint[];
  company_ids bigint[];
  settlements bigint;
begin
  perform advance_dataset_clock();
  observation_ids := array(select id from observations where source_id = any(source_ids));
  company_ids := delete_source_records(source_ids, observation_ids);
  if observation_ids <> '{}' then
    update dataset_clock set dataset_id = gen_random_uuid();
  end if;
  settlements := delete_demo_account(account);
  return json_build_object(
    'observations', cardinality(observation_ids),
    'companies', cardinality(company_ids),
    'account_id', account,
    'settlements', settlements
  );
end $$;

-- Returns what remove_demo would delete: the number of observations, the id of the demo's account,
-- and the number of settlements.
create or replace function count_demo(p_sources text[]) returns json language sql stable as $$
  select json_build_object(
    'observations', (
      select count(*)
      from observations o
      join sources s on s.id = o.source_id
      where s.name = any(p_sources)
    ),
    'account_id', (select id from accounts where is_demo),
    'settlements', (
      select count(*)
      from ledger l
      join subscriptions s on s.id = l.subscription_id
      join accounts a on a.id = s.account_id
      where a.is_demo
    )
  )
$$;

-- Deletes sources with all their records, and the companies of which nothing remains. Returns the
-- ids of the deleted companies.
create or replace function delete_source_records(p_source_ids integer[], p_observation_ids bigint[])
returns bigint[] language plpgsql as $$
declare
  touched_companies bigint[] := array(
    select company_id from observations where id = any(p_observation_ids)
    union select company_id from company_external_ids where source_id = any(p_source_ids)
    union select company_id from company_names where source_id = any(p_source_ids)
    union select company_id from company_identifiers where source_id = any(p_source_ids)
  );
  domain_ids bigint[];
  orphaned_companies bigint[];
begin
  touched_companies := touched_companies || array(
    select merged_id from company_merges where kept_id = any(touched_companies)
  );
  domain_ids := array(
    select domain_id from company_domains where company_id = any(touched_companies)
    union select domain_id from observation_domains where observation_id = any(p_observation_ids)
  );
  delete from observation_embeddings where observation_id = any(p_observation_ids);
  delete from relisted_observations where observation_id = any(p_observation_ids);
  delete from observation_domains where observation_id = any(p_observation_ids);
  delete from evidence where observation_id = any(p_observation_ids);
  delete from observations where id = any(p_observation_ids);
  delete from company_join_names where source_id = any(p_source_ids);
  delete from company_external_ids where source_id = any(p_source_ids);
  delete from company_names where source_id = any(p_source_ids);
  delete from company_identifiers where source_id = any(p_source_ids);
  delete from hostname_refreshes where source_id = any(p_source_ids);
  delete from source_feeds where source_id = any(p_source_ids);
  orphaned_companies := array(
    select id from unnest(touched_companies) s (id)
    where not exists (select from observations o where o.company_id = s.id)
      and not exists (select from company_external_ids e where e.company_id = s.id)
      and not exists (select from company_names n where n.company_id = s.id)
      and not exists (select from company_identifiers i where i.company_id = s.id)
      and not exists (
        select from companies c where c.merged_into = s.id and c.id <> all(touched_companies)
      )
  );
  -- A company that another source knows stays, and is no longer merged into a deleted company.
  update companies set merged_into = null
  where merged_into = any(orphaned_companies) and id <> all(orphaned_companies);
  delete from company_merges
  where kept_id = any(orphaned_companies) or merged_id = any(orphaned_companies);
  update company_merges set source_id = null where source_id = any(p_source_ids);
  delete from company_domains where company_id = any(orphaned_companies);
  delete from companies where id = any(orphaned_companies);
  delete from domains d
  where d.id = any(domain_ids)
    and not exists (select from company_domains c where c.domain_id = d.id)
    and not exists (select from observation_domains o where o.domain_id = d.id)
    and not exists (select from relisted_observations r where r.domain_id = d.id);
  delete from sources where id = any(p_source_ids);
  return orphaned_companies;
end $$;

-- Deletes an account with its keys, operations and settlements. Returns the number of settlements.
create or replace function delete_demo_account(p_account_id bigint)
returns bigint language plpgsql as $$
declare
  subscription bigint := (select id from subscriptions where account_id = p_account_id);
  settlements bigint;
begin
  delete from ledger where subscription_id = subscription;
  get diagnostics settlements = row_count;
  perform pgmq.delete('operations', message_id) from operations
  where account_id = p_account_id and message_id is not null;
  delete from shortlists where operation_id in (
    select id from operations where account_id = p_account_id
  );
  delete from operations where account_id = p_account_id;
  delete from allowances where subscription_id = subscription;
  delete from api_keys where account_id = p_account_id;
  delete from subscriptions where id = subscription;
  delete from accounts where id = p_account_id;
  return settlements;
end $$;
