-- Sources that a search with a short first page may ask while its caller waits: words of the query
-- leave the house then, so it is the operator who says so.
alter table sources add column asked_in_searches boolean not null default false;
