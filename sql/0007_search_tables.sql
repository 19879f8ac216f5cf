-- Tables of a search engine outside of this process, if there is one. There are two sets of them,
-- a and b. One serves searches, and a rebuild fills the other.
create table search_tables (
  only_row boolean primary key default true,
  -- Null until a set has been filled for the first time.
  serving text,
  served_since timestamptz,
  -- The set that is being filled; null if none is.
  filling text,
  -- One process writes. A process that died is given up when its lease ends.
  lease_token uuid,
  leased_until timestamptz,
  constraint search_tables_one_row check (only_row),
  constraint search_tables_serving check (serving in ('a', 'b')),
  constraint search_tables_filling check (filling in ('a', 'b') and filling <> serving),
  constraint search_tables_served check ((serving is null) = (served_since is null)),
  constraint search_tables_lease check ((lease_token is null) = (leased_until is null))
);
insert into search_tables default values;
