-- Leases the learning of a semantic model from p_documents documents. Returns whether the caller
-- has to learn it. Returns false if another process has the lease, or if a stored model of this
-- format suffices. Such a model was learned from at least half and at most twice as many documents.
create or replace function claim_learning(p_format integer, p_documents integer, p_seconds integer)
returns boolean language plpgsql as $$
begin
  update semantic_learning set leased_until = clock_timestamp() + make_interval(secs => p_seconds)
  where leased_until <= clock_timestamp() and not exists (
    select from semantic_models m
    where m.format = p_format
      and p_documents between m.documents * 0.5 and m.documents * 2
  );
  return found;
end $$;

-- Replaces the stored model, and returns the id of the new one. Models of a newer format stay.
-- Otherwise replicas of two versions, which need different formats, would replace each other's
-- models for ever.
create or replace function store_model(p_format integer, p_documents integer, p_body bytea)
returns bigint language plpgsql as $$
declare
  model_id bigint;
begin
  insert into semantic_models (format, documents, body) values (p_format, p_documents, p_body)
  returning id into model_id;
  delete from semantic_models where id < model_id and format <= p_format;
  update semantic_learning set leased_until = '-infinity';
  return model_id;
end $$;
