-- Drops two references that others imply. PostgreSQL checks each reference of a new row by a query
-- that locks the referenced row. These two checks took 6 % of the time of a metered search in the
-- database.

-- A subscription belongs to one account, and claims take both ids from the holder of the key.
alter table operations drop constraint operations_account_id_fkey;
-- A settlement takes the subscription from its operation, which the ledger references.
alter table ledger drop constraint ledger_subscription_id_fkey;
