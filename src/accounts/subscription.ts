/** Checks the entitlement of a key: an active or trialing subscription (specification 5). */
import type { Sql } from "../db/connect.ts";
import { Failure } from "../failures.ts";

/** Present terms of a key's subscription. */
export interface SubscriptionTerms {
  entitled: boolean;
  /** Max number of entries per page in the plan. It is set even if the key is not entitled. */
  page_limit: number;
  subscription_id: number;
  /** Unmetered reads per minute that one process answers. */
  reads_per_minute: number;
}

/** Database and clock for reads of accounts. */
export interface AccountsContext {
  sql: Sql;
  now?: () => Date;
}

/**
 * Reads the terms of a key by one indexed read.
 * @throws Failure invalid_api_key
 */
export async function getTerms(
  context: AccountsContext,
  caller: { key_hash: Uint8Array },
): Promise<SubscriptionTerms> {
  const [row] = await context.sql<SubscriptionTerms[]>`
    select entitled, page_limit, subscription_id, reads_per_minute
    from caller_of_key(${caller.key_hash}, coalesce(${context.now?.() ?? null}::timestamptz, now()))
    where account_id is not null
  `;
  if (row === undefined) throw new Failure("invalid_api_key");
  return row;
}

/** Requires an entitled key. @throws Failure invalid_api_key or subscription_required */
export async function requireEntitled(
  context: AccountsContext,
  caller: { key_hash: Uint8Array },
): Promise<void> {
  const { entitled } = await getTerms(context, caller);
  if (!entitled) throw new Failure("subscription_required");
}
