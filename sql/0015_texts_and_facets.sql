-- A record has texts, which are searched and never shown, and facets beside its evidence. Evidence
-- keeps excerpts of at most 600 characters; what a longer one said is searched as a text.

alter table observations
  -- One text per language version. Empty: the excerpts are searched instead.
  add column texts text[] not null default '{}',
  -- Facts that the source states in columns or codes: see src/contract/facets.ts.
  add column facets jsonb not null default '{}';

-- Excerpts that are still to be cut: none but those that a program of the version before has written.
create index evidence_uncut on evidence (id) where length(excerpt) > 600;
