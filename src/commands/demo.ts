/** An empty embedded database gets something to search, and a key to search it with. */
import { createAccount } from "../accounts/account.ts";
import { createKey } from "../accounts/credential.ts";
import { createApiKey } from "../accounts/key.ts";
import type { Database } from "../db/connect.ts";
import { DEMO_SOURCES, recordDemo } from "../ingest/demo.ts";

/**
 * Does nothing once there is a key or a source of the operator's own. Every step can be cut off:
 * the next start does it again, and the key, kept before it is valid, comes last.
 */
export async function prepareDemo(
  db: Database,
  { data_dir, say }: { data_dir: string; say: (line: string) => void },
): Promise<void> {
  const { sql } = db;
  const [{ used }] = await sql<[{ used: boolean }]>`
    select exists (select from api_keys)
      or exists (select from sources where name <> all (${DEMO_SOURCES})) as used
  `;
  if (used) return;
  await recordDemo(db, new Date());
  const [existing] = await sql<{ account_id: number }[]>`
    select id as account_id from accounts where name = 'demo'
  `;
  const { account_id } = existing ??
    await createAccount(sql, { name: "demo", plan: "professional", status: "active" });
  const key = createKey();
  const path = `${data_dir}/demo_key`;
  await Deno.writeTextFile(path, key + "\n", { mode: 0o600 });
  await createApiKey(sql, { account_id, name: "demo", key });
  say(`demo data is in; its key, also kept in ${path}: ${key}`);
}
