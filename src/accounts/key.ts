/** API keys as the operator handles them: made, listed, revoked. */
import type { Sql } from "../db/connect.ts";
import { createKey, hashKey } from "./credential.ts";

/** The key itself is shown this once; only its hash is kept. @throws Error for an unknown account */
export async function createApiKey(
  sql: Sql,
  { account_id, name, key = createKey() }: { account_id: number; name: string; key?: string },
): Promise<{ key_id: number; key: string }> {
  const [row] = await sql<{ key_id: number }[]>`
    insert into api_keys (account_id, name, hash)
    select id, ${name}, ${hashKey(key)} from accounts where id = ${account_id}
    returning id as key_id
  `;
  if (row === undefined) throw new Error(`there is no account ${account_id}`);
  return { key_id: row.key_id, key };
}

/** Holds from the next request on. A second time changes nothing. @returns nothing if unknown */
export async function revokeApiKey(
  sql: Sql,
  id: number,
): Promise<{ key_id: number; revoked_at: Date } | undefined> {
  const [row] = await sql<{ key_id: number; revoked_at: Date }[]>`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${id}
    returning id as key_id, revoked_at
  `;
  return row;
}

export interface ApiKey {
  key_id: number;
  name: string;
  created_at: Date;
  revoked_at: Date | null;
}

/** @returns nothing where there is no such account */
export async function listApiKeys(sql: Sql, accountId: number): Promise<ApiKey[] | undefined> {
  const rows = await sql<(ApiKey | { key_id: null })[]>`
    select k.id as key_id, k.name, k.created_at, k.revoked_at
    from accounts a
    left join api_keys k on k.account_id = a.id
    where a.id = ${accountId}
    order by k.id
  `;
  return rows.length === 0 ? undefined : rows.filter((row): row is ApiKey => row.key_id !== null);
}
