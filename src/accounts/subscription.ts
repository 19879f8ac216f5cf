/** Who may ask: an active or trialing subscription behind the key (specification 5). */
import type { Sql } from "../db/connect.ts";
import { Failure } from "../failures.ts";

/**
 * One indexed read.
 * @throws Failure invalid_api_key or subscription_required
 */
export async function requireEntitled(
  context: { sql: Sql; now?: () => Date },
  caller: { key_hash: Uint8Array },
): Promise<void> {
  const [row] = await context.sql<{ entitled: boolean }[]>`
    select entitled
    from find_caller(${caller.key_hash}, coalesce(${context.now?.() ?? null}::timestamptz, now()))
  `;
  if (row === undefined) throw new Failure("invalid_api_key");
  if (!row.entitled) throw new Failure("subscription_required");
}
