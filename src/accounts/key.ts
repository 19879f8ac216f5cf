/** Creates, lists and revokes API keys for the operator. */
import type { Sql } from "../db/connect.ts";
import { UsageError } from "../failures.ts";
import { createKey, hashKey, prefixOf } from "./credential.ts";

/** Fields of a new key. */
interface NewKey {
  account_id: number;
  name: string;
  /** Last day in UTC on which the key is valid. Absent: it does not expire. */
  last_day?: string;
  /** The key to store. Absent: a new key. */
  key?: string;
}

/**
 * Creates a key. No later call can return the key, because only its hash and first characters are
 * stored.
 * @throws UsageError for a last day in the past; Error for an unknown account
 */
export async function createApiKey(
  sql: Sql,
  { account_id, name, last_day, key = createKey() }: NewKey,
): Promise<{ key_id: number; key: string; expires_at?: Date }> {
  const day = last_day ?? null;
  const [row] = await sql<{ key_id: number; expires_at: Date | null }[]>`
    insert into api_keys (account_id, name, hash, prefix, expires_at)
    select id, ${name}, ${hashKey(key)}, ${prefixOf(key)}, ${day}::date + interval '1 day'
    from accounts
    where id = ${account_id} and (${day}::date is null or ${day}::date >= current_date)
    returning id as key_id, expires_at
  `;
  if (row !== undefined) {
    const { key_id, expires_at } = row;
    return { key_id, key, ...expires_at !== null && { expires_at } };
  }
  const [account] = await sql`select from accounts where id = ${account_id}`;
  if (account === undefined) throw new Error(`there is no account ${account_id}`);
  throw new UsageError(`the day ${last_day} has passed`);
}

/**
 * Revokes a key from the next request on. A second call changes nothing. Returns undefined if there
 * is no such key.
 */
export async function revokeApiKey(sql: Sql, id: number): Promise<object | undefined> {
  const [row] = await sql`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${id}
    returning id as key_id, revoked_at
  `;
  return row;
}

/**
 * Creates a key with the account and the name of another one. Both are valid until the end of a
 * day, in UTC. A key that expires earlier is not prolonged. Returns the new key, and the time from
 * which the replaced one is refused; undefined if there is no such key.
 * @throws UsageError for a day in the past; Error for a key that is no longer valid
 */
export async function rotateApiKey(
  sql: Sql,
  { key_id, last_day }: { key_id: number; last_day: string },
): Promise<object | undefined> {
  const key = createKey();
  const [row] = await sql<{ key_id: number; expires_at: Date }[]>`
    with replaced as (
      update api_keys
      set expires_at = least(expires_at, ${last_day}::date + interval '1 day')
      where id = ${key_id}
        and revoked_at is null
        and coalesce(expires_at > now(), true)
        and ${last_day}::date >= current_date
      returning account_id, name, expires_at
    )
    insert into api_keys (account_id, name, hash, prefix)
    select account_id, name, ${hashKey(key)}, ${prefixOf(key)}
    from replaced
    returning id as key_id, (select expires_at from replaced)
  `;
  if (row !== undefined) {
    return { key_id: row.key_id, key, replaced: { key_id, expires_at: row.expires_at } };
  }
  const [present] = await sql<{ valid: boolean }[]>`
    select revoked_at is null and coalesce(expires_at > now(), true) as valid
    from api_keys
    where id = ${key_id}
  `;
  if (present === undefined) return undefined;
  if (present.valid) throw new UsageError(`the day ${last_day} has passed`);
  throw new Error(`key ${key_id} is no longer valid, so there is nothing to replace`);
}

/**
 * Lists the keys of an account, or all keys. The prefix of a key is null if an earlier version of
 * the service created it. Returns undefined if there is no such account.
 */
export async function listApiKeys(sql: Sql, accountId?: number): Promise<object[] | undefined> {
  const id = accountId ?? null;
  const rows = await sql<{ key_id: number | null }[]>`
    select
      k.id as key_id,
      a.id as account_id,
      k.name,
      k.prefix,
      k.created_at,
      k.last_used_on::text as last_used_on,
      k.expires_at,
      k.revoked_at
    from accounts a
    left join api_keys k on k.account_id = a.id
    where ${id}::bigint is null or a.id = ${id}
    order by k.id
  `;
  if (rows.length === 0 && accountId !== undefined) return undefined;
  return rows.filter(({ key_id }) => key_id !== null);
}
